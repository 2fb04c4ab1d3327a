// `Init` leaves before `InitBuffer` on a core without work, which `Process` leaves as well.
#include "kernel_operator.h"
using namespace AscendC;

class Roots {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t tiles, uint32_t length)
    {
        tiles_ = tiles;
        length_ = length;
        xGm.SetGlobalBuffer((__gm__ float *)x, tiles * length);
        yGm.SetGlobalBuffer((__gm__ float *)y, tiles * length);
        if (length_ == 0) {
            return;
        }
        pipe.InitBuffer(loads, 2, length_ * sizeof(float));
        pipe.InitBuffer(stores, 2, length_ * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        if (length_ == 0) {
            return;
        }
        for (uint32_t i = 0; i < tiles_; ++i) {
            LocalTensor<float> in = loads.AllocTensor<float>();
            DataCopy(in, xGm[i * length_], length_);
            loads.EnQue(in);
            in = loads.DeQue<float>();
            LocalTensor<float> out = stores.AllocTensor<float>();
            Sqrt(out, in, length_);
            stores.EnQue<float>(out);
            loads.FreeTensor(in);
            out = stores.DeQue<float>();
            DataCopy(yGm[i * length_], out, length_);
            stores.FreeTensor(out);
        }
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> loads;
    TQue<QuePosition::VECOUT, 2> stores;
    GlobalTensor<float> xGm, yGm;
    uint32_t tiles_, length_;
};

// a2lint: launch(block_dim=1, x=float[256], y=float[256], tiles=4, length=64)
extern "C" __global__ __aicore__ void roots(GM_ADDR x, GM_ADDR y, uint32_t tiles, uint32_t length)  //~ VERDICT roots.order: proved-if tiles * length - length
{
    Roots op;
    op.Init(x, y, tiles, length);
    op.Process();
}
