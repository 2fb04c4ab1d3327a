#include "gtest/gtest.h"
#ifdef __CCE_KT_TEST__
#include "tikicpulib.h"
#endif
#include "square_add_tiling_def.h"

extern "C" __global__ __aicore__ void square_add(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling);

class square_add_test : public testing::Test {};

TEST_F(square_add_test, whole_tiles)
{
    size_t bytes = 5000 * sizeof(float);
    uint8_t *x = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *y = (uint8_t *)AscendC::GmAlloc(bytes);
    uint8_t *workspace = (uint8_t *)AscendC::GmAlloc(1024);
    uint8_t *tiling = (uint8_t *)AscendC::GmAlloc(sizeof(SquareAddTilingData));
    SquareAddTilingData *data = reinterpret_cast<SquareAddTilingData *>(tiling);
    data->total = 5000;
    data->perCore = 1256;
    data->tile = 512;
    uint32_t numBlocks = 4;
    ICPU_SET_TILING_KEY(1);
    AscendC::SetKernelMode(KernelMode::AIV_MODE);
    ICPU_RUN_KF(square_add, numBlocks, x, y, workspace, tiling);
    AscendC::GmFree(x);
    AscendC::GmFree(y);
}
