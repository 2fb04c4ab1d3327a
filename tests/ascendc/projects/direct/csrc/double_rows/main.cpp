#include "acl/acl.h"
#include "tiling/double_rows_tiling.h"

extern "C" __global__ __aicore__ void double_rows(GM_ADDR x, GM_ADDR y, host::DoubleRowsTiling tiling);

int main()
{
    constexpr uint32_t ROWS = 64;
    constexpr uint32_t COLUMNS = 128;
    const uint32_t blocks = 4;
    uint8_t *x = nullptr;
    uint8_t *y = nullptr;
    aclrtMalloc((void **)&x, ROWS * COLUMNS * sizeof(uint16_t), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void **)&y, ROWS * COLUMNS * sizeof(uint16_t), ACL_MEM_MALLOC_HUGE_FIRST);
    host::DoubleRowsTiling tiling = {ROWS, COLUMNS};
    double_rows<<<blocks, nullptr, nullptr>>>(x, y, tiling);
    return 0;
}
