#include "gtest/gtest.h"
#ifdef __CCE_KT_TEST__
#include "tikicpulib.h"
#endif
#include "sigmoid_like_tiling_def.h"

extern "C" __global__ __aicore__ void sigmoid_like(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling);

class sigmoid_like_test : public testing::Test {};

TEST_F(sigmoid_like_test, whole_tiles)
{
    size_t bytes = 5000 * sizeof(float);
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *y = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *workspace = (uint8_t *)AscendC::GmAlloc(1024);
    uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(SigmoidLikeTilingData));
    SigmoidLikeTilingData *data = reinterpret_cast<SigmoidLikeTilingData *>(tiling);
    data->total = 5000;
    data->perCore = 1256;
    data->tile = 512;
    uint32_t numBlocks = 4;
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(sigmoid_like, numBlocks, x, y, workspace, tiling);
    AscendC::GmFree(x);
    AscendC::GmFree(y);
}
