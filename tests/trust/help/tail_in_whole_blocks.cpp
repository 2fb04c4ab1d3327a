// A tail that is no whole number of blocks: DataCopy() drops its rest, and the finding says so at the store
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 512;

class Doubled {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t total)
    {
        length = total / GetBlockNum();
        xGm.SetGlobalBuffer((__gm__ half *)x + GetBlockIdx() * length, length);
        yGm.SetGlobalBuffer((__gm__ half *)y + GetBlockIdx() * length, length);
        pipe.InitBuffer(inX, 2, TILE * sizeof(half));
        pipe.InitBuffer(outY, 2, TILE * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t at = 0; at < length; at += TILE) {
            uint32_t n = length - at < TILE ? length - at : TILE;
            LocalTensor<half> x = inX.AllocTensor<half>();
            DataCopyPad(x, xGm[at], {1, n * 2, 0, 0, 0}, {false, 0, 0, 0});
            inX.EnQue(x);
            x = inX.DeQue<half>();
            LocalTensor<half> y = outY.AllocTensor<half>();
            Add(y, x, x, n);
            inX.FreeTensor(x);
            outY.EnQue(y);
            y = outY.DeQue<half>();
            DataCopy(yGm[at], y, n);  //~ ERROR output-hole: 18 of the 2002 elements
            outY.FreeTensor(y);
        }
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> inX;
    TQue<QuePosition::VECOUT, 2> outY;
    GlobalTensor<half> xGm, yGm;
    uint32_t length;
};

// a2lint: launch(block_dim=2, total=2002, x=half[2002], y=half[2002])
extern "C" __global__ __aicore__ void doubled(GM_ADDR x, GM_ADDR y, uint32_t total)
{
    Doubled op;
    op.Init(x, y, total);
    op.Process();
}
