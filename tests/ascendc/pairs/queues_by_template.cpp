// Four buffers of a tile for each of three queues: the template argument decides whether they fit.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T, uint32_t TILE, uint32_t BUFFERS>
class Lerp {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t tiles, TPipe* pipe)
    {
        tiles_ = tiles;
        a_.SetGlobalBuffer((__gm__ T*)a);
        b_.SetGlobalBuffer((__gm__ T*)b);
        c_.SetGlobalBuffer((__gm__ T*)c);
        pipe->InitBuffer(aQueue_, BUFFERS, TILE * sizeof(T));
        pipe->InitBuffer(bQueue_, BUFFERS, TILE * sizeof(T));
//+        pipe->InitBuffer(cQueue_, BUFFERS, TILE * sizeof(T));  //~ capacity
        pipe->InitBuffer(cQueue_, BUFFERS, TILE * sizeof(T));//-
    }
    __aicore__ inline void Process(T weight)
    {
        for (uint32_t i = GetBlockIdx(); i < tiles_; i += GetBlockNum()) {
            auto a = aQueue_.template AllocTensor<T>();
            auto b = bQueue_.template AllocTensor<T>();
            DataCopy(a, a_[i * TILE], TILE);
            DataCopy(b, b_[i * TILE], TILE);
            aQueue_.EnQue(a);
            bQueue_.EnQue(b);
            a = aQueue_.template DeQue<T>();
            b = bQueue_.template DeQue<T>();
            auto c = cQueue_.template AllocTensor<T>();
            Sub(c, b, a, TILE);
            Muls(c, c, weight, TILE);
            Add(c, c, a, TILE);
            aQueue_.FreeTensor(a);
            bQueue_.FreeTensor(b);
            cQueue_.EnQue(c);
            c = cQueue_.template DeQue<T>();
            DataCopy(c_[i * TILE], c, TILE);
            cQueue_.FreeTensor(c);
        }
    }

private:
    TQue<TPosition::VECIN, 1> aQueue_, bQueue_;
    TQue<TPosition::VECOUT, 1> cQueue_;
    GlobalTensor<T> a_, b_, c_;
    uint32_t tiles_;
};

// a2lint: launch(block_dim=2, a=float[12288], b=float[12288], c=float[12288], tiles=2, weight=0.25)
extern "C" __global__ __aicore__ void lerp(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t tiles, float weight)
{
    TPipe pipe;
//+    Lerp<float, 6144, 4> op;
    Lerp<float, 6144, 2> op;//-
    op.Init(a, b, c, tiles, &pipe);
    op.Process(weight);
}
