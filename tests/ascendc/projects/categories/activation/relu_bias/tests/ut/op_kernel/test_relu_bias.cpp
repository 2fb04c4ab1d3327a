#include "gtest/gtest.h"
#ifdef __CCE_KT_TEST__
#include "tikicpulib.h"
#endif
#include "relu_bias_tiling_def.h"

extern "C" __global__ __aicore__ void relu_bias(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling);

class relu_bias_test : public testing::Test {};

TEST_F(relu_bias_test, whole_tiles)
{
    size_t bytes = 5000 * sizeof(float);
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *y = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *workspace = (uint8_t *)AscendC::GmAlloc(1024);
    uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(ReluBiasTilingData));
    ReluBiasTilingData *data = reinterpret_cast<ReluBiasTilingData *>(tiling);
    data->total = 5000;
    data->perCore = 1256;
    data->tile = 512;
    data->bias = 0.25f;
    uint32_t numBlocks = 4;
    ICPU_SET_TILING_KEY(3);
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(relu_bias, numBlocks, x, y, workspace, tiling);
    AscendC::GmFree(x);
    AscendC::GmFree(y);
}
