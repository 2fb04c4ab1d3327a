// One launch whose tail is larger than a tile: every buffer is overrun, and that is one mistake. What the overruns meet
// in other buffers is none.
#include "kernel_operator.h"
using namespace AscendC;

struct TileTiling {
    uint32_t tileLength;
    uint32_t tailLength;
    uint32_t tileNum;
};

class KernelScale {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const TileTiling &tiling)
    {
        tile = tiling.tileLength;
        tail = tiling.tailLength;
        tiles = tiling.tileNum;
        xGm.SetGlobalBuffer((__gm__ float *)x);
        yGm.SetGlobalBuffer((__gm__ float *)y);
        pipe.InitBuffer(inQueue, 2, tile * sizeof(float));
        pipe.InitBuffer(outQueue, 2, tile * sizeof(float));
        pipe.InitBuffer(tmpBuf, tile * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        count = tile;
        for (uint32_t i = 0; i < tiles - 1; i++) {
            Step(i);
        }
        count = tail;
        Step(tiles - 1);
    }

private:
    __aicore__ inline void Step(uint32_t i)
    {
        LocalTensor<float> in = inQueue.AllocTensor<float>();
        DataCopy(in, xGm[i * tile], count);  //~ ERROR operand-overrun: `tiling.tileLength` is 64, `tiling.tailLength` is 512
        inQueue.EnQue(in);
        in = inQueue.DeQue<float>();
        LocalTensor<float> out = outQueue.AllocTensor<float>();
        LocalTensor<float> tmp = tmpBuf.Get<float>();
        Muls(tmp, in, 2.0f, count);  //~ ERROR operand-overrun: writes 1792 bytes outside the tensor of `tmp`
        Adds(out, tmp, 1.0f, count);  //~ ERROR operand-overrun: writes 1792 bytes outside the tensor of `out`
        outQueue.EnQue(out);
        inQueue.FreeTensor(in);
        out = outQueue.DeQue<float>();
        DataCopy(yGm[i * tile], out, count);  //~ ERROR operand-overrun: reads 1792 bytes outside the tensor of `out`
        outQueue.FreeTensor(out);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, 2> inQueue;
    TQue<TPosition::VECOUT, 2> outQueue;
    TBuf<TPosition::VECCALC> tmpBuf;
    GlobalTensor<float> xGm, yGm;
    uint32_t tile, tail, tiles, count;
};

// a2lint: launch(block_dim=1, x=float[640], y=float[640], tiling.tileLength=64, tiling.tailLength=512, tiling.tileNum=3)
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, TileTiling tiling)
{
    KernelScale op;
    op.Init(x, y, tiling);
    op.Process();
}
