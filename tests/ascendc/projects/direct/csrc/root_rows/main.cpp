#include "acl/acl.h"
#include "tiling/root_rows_tiling.h"

extern "C" __global__ __aicore__ void root_rows(GM_ADDR x, GM_ADDR y, host::RootRowsTiling tiling);

int main()
{
    constexpr uint32_t ROWS = 64;
    constexpr uint32_t COLUMNS = 128;
    const uint32_t blocks = 4;
    uint8_t *x = nullptr;
    uint8_t *y = nullptr;
    aclrtMalloc((void **)&x, ROWS * COLUMNS * sizeof(uint16_t), ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void **)&y, ROWS * COLUMNS * sizeof(uint16_t), ACL_MEM_MALLOC_HUGE_FIRST);
    host::RootRowsTiling tiling = {ROWS, COLUMNS};
    ACLRT_LAUNCH_KERNEL(root_rows)(blocks, nullptr, x, y, tiling);
    return 0;
}
