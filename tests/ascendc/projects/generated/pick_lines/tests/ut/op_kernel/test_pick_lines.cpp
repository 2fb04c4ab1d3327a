#include "gtest/gtest.h"
#ifdef __CCE_KT_TEST__
#include "tikicpulib.h"
#endif
#include "../../../op_host/pick_lines_tiling.h"

extern "C" __global__ __aicore__ void pick_lines(
    GM_ADDR x, GM_ADDR mark, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling);

TEST(pick_lines_test, marked)
{
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(4096 * 4);
    uint8_t *mark = (uint8_t *)AscendC::GmAlloc(4 * 8 * sizeof(int32_t));
    uint8_t *y = (uint8_t *)AscendC::GmAlloc(4096 * 4);
    uint8_t *workspace = (uint8_t *)AscendC::GmAlloc(1024);
    uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(PickLinesTilingData));
    PickLinesTilingData *data = reinterpret_cast<PickLinesTilingData *>(tiling);
    data->marks = true;
    data->lines.share = 1024;
    data->lines.line = 256;
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(pick_lines, 4, x, mark, y, workspace, tiling);
}
