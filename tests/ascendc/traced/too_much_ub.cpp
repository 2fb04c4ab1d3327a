// Three queues of two buffers of 40 KB each do not fit into 192 KB.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 10240;

class WideAdd {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z)
    {
        x_.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * TILE, TILE);
        y_.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * TILE, TILE);
        z_.SetGlobalBuffer((__gm__ float *)z + GetBlockIdx() * TILE, TILE);
        pipe_.InitBuffer(a_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(b_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(c_, 2, TILE * sizeof(float));  //~ ERROR ub-overflow: need 240 KB
    }
    __aicore__ inline void Process()
    {
        auto a = a_.AllocTensor<float>();
        auto b = b_.AllocTensor<float>();
        DataCopy(a, x_, TILE);
        DataCopy(b, y_, TILE);
        a_.EnQue(a);
        b_.EnQue(b);
        a = a_.DeQue<float>();
        b = b_.DeQue<float>();
        auto c = c_.AllocTensor<float>();
        Add(c, a, b, TILE);
        c_.EnQue(c);
        a_.FreeTensor(a);
        b_.FreeTensor(b);
        c = c_.DeQue<float>();
        DataCopy(z_, c, TILE);
        c_.FreeTensor(c);
    }

private:
    TPipe pipe_;
    TQue<QuePosition::VECIN, 1> a_, b_;
    TQue<QuePosition::VECOUT, 1> c_;
    GlobalTensor<float> x_, y_, z_;
};

// a2lint: launch(block_dim=2, x=float[20480], y=float[20480], z=float[20480])
extern "C" __global__ __aicore__ void wide_add(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    WideAdd op;
    op.Init(x, y, z);
    op.Process();
}
