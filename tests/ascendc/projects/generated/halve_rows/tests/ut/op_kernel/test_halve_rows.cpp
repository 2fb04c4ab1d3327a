#include "gtest/gtest.h"
#ifdef __CCE_KT_TEST__
#include "tikicpulib.h"
#endif
#include "halve_rows_tiling_def.h"

extern "C" __global__ __aicore__ void halve_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling);

class halve_rows_test : public testing::Test {};

TEST_F(halve_rows_test, whole_tiles)
{
    size_t bytes = 2048 * sizeof(float);
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *y = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *workspace = (uint8_t *)AscendC::GmAlloc(1024);
    uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(HalveRowsTilingData));
    HalveRowsTilingData *data = reinterpret_cast<HalveRowsTilingData *>(tiling);
    data->share = 1024;
    data->tile = 256;
    uint32_t numBlocks = 2;
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(halve_rows, numBlocks, x, y, workspace, tiling);
    AscendC::GmFree(x);
    AscendC::GmFree(y);
}
