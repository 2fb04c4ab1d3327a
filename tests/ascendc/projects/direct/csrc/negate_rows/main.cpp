#include "acl/acl.h"
#include "tiling/negate_rows_tiling.h"

extern "C" __global__ __aicore__ void negate_rows(GM_ADDR x, GM_ADDR y, host::NegateRowsTiling tiling);

int main()
{
    constexpr uint32_t ROWS = 64;
    constexpr uint32_t COLUMNS = 128;
    const uint32_t blocks = 4;
    uint8_t *x = nullptr;
    uint8_t *y = nullptr;
    aclrtMalloc((void **)&x, ROWS * COLUMNS * sizeof(uint16_t), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void **)&y, ROWS * COLUMNS * sizeof(uint16_t), ACL_MEM_MALLOC_HUGE_FIRST);
    host::NegateRowsTiling tiling = {ROWS, COLUMNS};
    ACLRT_LAUNCH_KERNEL(negate_rows)(blocks, nullptr, x, y, tiling);
    return 0;
}
