#include "gtest/gtest.h"
#ifdef __CCE_KT_TEST__
#include "tikicpulib.h"
#endif
#include "clip_rows_tiling_def.h"

extern "C" __global__ __aicore__ void clip_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling);

class clip_rows_test : public testing::Test {};

TEST_F(clip_rows_test, whole_tiles)
{
    size_t bytes = 16384 * sizeof(float);
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *y = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *workspace = (uint8_t *)AscendC::GmAlloc(1024);
    uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(ClipRowsTilingData));
    ClipRowsTilingData *data = reinterpret_cast<ClipRowsTilingData *>(tiling);
    data->share = 2048;
    data->tile = 512;
    data->bound = 1.0f;
    uint32_t numBlocks = 8;
    ICPU_SET_TILING_KEY(1);
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(clip_rows, numBlocks, x, y, workspace, tiling);
    AscendC::GmFree(x);
    AscendC::GmFree(y);
}
