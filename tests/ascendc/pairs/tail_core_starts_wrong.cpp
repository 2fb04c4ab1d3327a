// The tail cores start after the longer parts of the former ones, not at multiples of their own length.
#include "kernel_operator.h"
using namespace AscendC;

struct SplitTiling {
    uint32_t bigCores;
    uint32_t bigLength;
    uint32_t smallLength;
};

class Negate {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SplitTiling& tiling)
    {
        const uint32_t core = GetBlockIdx();
        uint32_t start = 0;
        if (core < tiling.bigCores) {
            length = tiling.bigLength;
            start = core * tiling.bigLength;
        } else {
            length = tiling.smallLength;
//+            start = core * tiling.smallLength;
            start = tiling.bigCores * tiling.bigLength + (core - tiling.bigCores) * tiling.smallLength;//-
        }
        xGm.SetGlobalBuffer((__gm__ half*)x + start, length);
        yGm.SetGlobalBuffer((__gm__ half*)y + start, length);
        pipe.InitBuffer(inQueueX, 1, tiling.bigLength * sizeof(half));
        pipe.InitBuffer(outQueueY, 1, tiling.bigLength * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        CopyIn();
        Compute();
        CopyOut();
    }

private:
    __aicore__ inline void CopyIn()
    {
        LocalTensor<half> xLocal = inQueueX.AllocTensor<half>();
        DataCopy(xLocal, xGm, length);
        inQueueX.EnQue(xLocal);
    }
    __aicore__ inline void Compute()
    {
        LocalTensor<half> xLocal = inQueueX.DeQue<half>();
        LocalTensor<half> yLocal = outQueueY.AllocTensor<half>();
        Muls(yLocal, xLocal, static_cast<half>(-1.0f), length);
        outQueueY.EnQue<half>(yLocal);
        inQueueX.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut()
    {
        LocalTensor<half> yLocal = outQueueY.DeQue<half>();
//+        DataCopy(yGm, yLocal, length);  //~ ownership
        DataCopy(yGm, yLocal, length);//-
        outQueueY.FreeTensor(yLocal);
    }

    TPipe pipe;
    TQue<QuePosition::VECIN, 1> inQueueX;
    TQue<QuePosition::VECOUT, 1> outQueueY;
    GlobalTensor<half> xGm, yGm;
    uint32_t length;
};

// a2lint: launch(block_dim=4, x=half[1088], y=half[1088], tiling.bigCores=2, tiling.bigLength=288, tiling.smallLength=256)
extern "C" __global__ __aicore__ void negate_parts(GM_ADDR x, GM_ADDR y, SplitTiling tiling)
{
    Negate op;
    op.Init(x, y, tiling);
    op.Process();
}
