// A member that is defined outside of its class is the one with the same element type.
#include "kernel_operator.h"
using namespace AscendC;
template <typename T, typename G>
class Halves {
public:
    __aicore__ inline void Go(GM_ADDR x, GM_ADDR y)
    {
        gx_.SetGlobalBuffer((__gm__ int32_t*)x);
        gy_.SetGlobalBuffer((__gm__ int32_t*)y);
        pipe_.InitBuffer(a_, 256 * sizeof(G));
        LocalTensor<G> t = a_.template Get<G>();
        Load(t);
    }
private:
    __aicore__ inline void Load(LocalTensor<int32_t>& t);
    __aicore__ inline void Load(LocalTensor<int64_t>& t);
    TPipe pipe_;
    TBuf<TPosition::VECCALC> a_;
    GlobalTensor<int32_t> gx_, gy_;
};
template <typename T, typename G>
__aicore__ inline void Halves<T, G>::Load(LocalTensor<int32_t>& t)
{
    DataCopy(t, gx_, 256);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gy_, t, 256);
}
template <typename T, typename G>
__aicore__ inline void Halves<T, G>::Load(LocalTensor<int64_t>& t)
{
    LocalTensor<int32_t> u = t.template ReinterpretCast<int32_t>();
    DataCopy(u, gx_, 512);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(gy_, u, 512);
}
// a2lint: launch(block_dim=1, x=int[512], y=int[512])
extern "C" __global__ __aicore__ void wide(GM_ADDR x, GM_ADDR y)
{
    Halves<float, int64_t> op;
    op.Go(x, y);
}
