// Where the buffers are prepared only under a condition, the tensors of the prepared queue still have to be freed.
#include "kernel_operator.h"
using namespace AscendC;

class Roots {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t tiles, uint32_t length)
    {
        tiles_ = tiles;
        xGm.SetGlobalBuffer((__gm__ float *)x, tiles * 64);
        yGm.SetGlobalBuffer((__gm__ float *)y, tiles * 64);
        if (length == 0) {
            return;
        }
        pipe.InitBuffer(loads, 2, 256);
        pipe.InitBuffer(stores, 2, 256);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < tiles_; ++i) {
            LocalTensor<float> in = loads.AllocTensor<float>();  //~ ERROR event-unbalanced: allocates a tensor of queue `loads`
            DataCopy(in, xGm[i * 64], 64);
            loads.EnQue(in);
            in = loads.DeQue<float>();
            LocalTensor<float> out = stores.AllocTensor<float>();
            Sqrt(out, in, 64);
            stores.EnQue<float>(out);
            out = stores.DeQue<float>();
            DataCopy(yGm[i * 64], out, 64);
            stores.FreeTensor(out);
        }
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> loads;
    TQue<QuePosition::VECOUT, 2> stores;
    GlobalTensor<float> xGm, yGm;
    uint32_t tiles_;
};

// a2lint: launch(block_dim=1, x=float[256], y=float[256], tiles=4, length=64)
extern "C" __global__ __aicore__ void roots(GM_ADDR x, GM_ADDR y, uint32_t tiles, uint32_t length)
{
    Roots op;
    op.Init(x, y, tiles, length);
    op.Process();
}
