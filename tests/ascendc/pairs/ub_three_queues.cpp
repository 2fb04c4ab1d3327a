// Three queues of two tiles each: with 40 KB a tile they do not fit into UB.
#include "kernel_operator.h"
using namespace AscendC;

//+constexpr uint32_t TILE = 10240;  //~ capacity
constexpr uint32_t TILE = 8192;//-

class FusedAdd {
public:
    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t tiles)
    {
        tiles_ = tiles;
        const uint64_t base = static_cast<uint64_t>(GetBlockIdx()) * tiles * TILE;
        a_.SetGlobalBuffer((__gm__ float*)a + base, tiles * TILE);
        b_.SetGlobalBuffer((__gm__ float*)b + base, tiles * TILE);
        c_.SetGlobalBuffer((__gm__ float*)c + base, tiles * TILE);
        pipe_.InitBuffer(aq_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(bq_, 2, TILE * sizeof(float));
//+        pipe_.InitBuffer(cq_, 2, TILE * sizeof(float));
        pipe_.InitBuffer(cq_, 1, TILE * sizeof(float));//-
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < tiles_; i++) {
            auto a = aq_.AllocTensor<float>();
            auto b = bq_.AllocTensor<float>();
            DataCopy(a, a_[i * TILE], TILE);
            DataCopy(b, b_[i * TILE], TILE);
            aq_.EnQue(a);
            bq_.EnQue(b);
            a = aq_.DeQue<float>();
            b = bq_.DeQue<float>();
            auto c = cq_.AllocTensor<float>();
            Add(c, a, b, TILE);
            aq_.FreeTensor(a);
            bq_.FreeTensor(b);
            cq_.EnQue(c);
            c = cq_.DeQue<float>();
            DataCopy(c_[i * TILE], c, TILE);
            cq_.FreeTensor(c);
        }
    }

private:
    TPipe pipe_;
    TQue<TPosition::VECIN, 1> aq_, bq_;
    TQue<TPosition::VECOUT, 1> cq_;
    GlobalTensor<float> a_, b_, c_;
    uint32_t tiles_;
};

//+// a2lint: launch(block_dim=1, a=float[20480], b=float[20480], c=float[20480], tiles=2)
// a2lint: launch(block_dim=1, a=float[16384], b=float[16384], c=float[16384], tiles=2)//-
extern "C" __global__ __aicore__ void fused_add(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t tiles)
{
    FusedAdd op;
    op.Init(a, b, c, tiles);
    op.Process();
}
