#include "gtest/gtest.h"
#ifdef __CCE_KT_TEST__
#include "tikicpulib.h"
#endif
#include "scale_rows_tiling_def.h"

extern "C" __global__ __aicore__ void scale_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling);

class scale_rows_test : public testing::Test {};

TEST_F(scale_rows_test, whole_tiles)
{
    size_t bytes = 16384 * sizeof(half);
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *y = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *workspace = (uint8_t *)AscendC::GmAlloc(1024);
    uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(ScaleRowsTilingData));
    ScaleRowsTilingData *data = reinterpret_cast<ScaleRowsTilingData *>(tiling);
    data->share = 4096;
    data->tile = 1024;
    data->factor = 0.5f;
    uint32_t numBlocks = 4;
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(scale_rows, numBlocks, x, y, workspace, tiling);
    AscendC::GmFree(x);
    AscendC::GmFree(y);
}
