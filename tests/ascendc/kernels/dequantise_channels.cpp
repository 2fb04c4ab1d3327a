// y = float(x) * scale of the column: int8 becomes float by way of half, with buffers and flags of its own.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t COLS = 256;

template <HardEvent E>
class Order {
public:
    __aicore__ inline explicit Order(TPipe& pipe) : id_(pipe.AllocEventID<E>()), pipe_(pipe) {}
    __aicore__ inline void Set() { SetFlag<E>(id_); }
    __aicore__ inline void Wait() { WaitFlag<E>(id_); }
    __aicore__ inline void Pass()
    {
        Set();
        Wait();
    }
    __aicore__ inline void Release() { pipe_.ReleaseEventID<E>(id_); }

private:
    TEventID id_;
    TPipe& pipe_;
};

// a2lint: launch(block_dim=2, x=int8[9, 256], scale=float[256], y=float[9, 256], rows=9)
extern "C" __global__ __aicore__ void dequantise_channels(GM_ADDR x, GM_ADDR scale, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TBuf<TPosition::VECIN> narrowBuf;
    TBuf<TPosition::VECCALC> halfBuf, scaleBuf;
    TBuf<TPosition::VECOUT> wideBuf;
    pipe.InitBuffer(narrowBuf, COLS);
    pipe.InitBuffer(halfBuf, COLS * sizeof(half));
    pipe.InitBuffer(scaleBuf, COLS * sizeof(float));
    pipe.InitBuffer(wideBuf, COLS * sizeof(float));
    GlobalTensor<int8_t> gx;
    GlobalTensor<float> gs, gy;
    gx.SetGlobalBuffer((__gm__ int8_t*)x, rows * COLS);
    gs.SetGlobalBuffer((__gm__ float*)scale, COLS);
    gy.SetGlobalBuffer((__gm__ float*)y, rows * COLS);
    auto narrow = narrowBuf.Get<int8_t>();
    auto middle = halfBuf.Get<half>();
    auto factors = scaleBuf.Get<float>();
    auto wide = wideBuf.Get<float>();

    Order<HardEvent::MTE2_V> loaded(pipe);
    Order<HardEvent::V_MTE2> read(pipe);
    Order<HardEvent::V_MTE3> computed(pipe);
    Order<HardEvent::MTE3_V> stored(pipe);
    DataCopy(factors, gs, COLS);
    read.Set();
    stored.Set();
    for (uint32_t r = GetBlockIdx(); r < rows; r += GetBlockNum()) {
        read.Wait();
        DataCopy(narrow, gx[r * COLS], COLS);
        loaded.Pass();
        Cast(middle, narrow, RoundMode::CAST_NONE, COLS);
        read.Set();
        stored.Wait();
        Cast(wide, middle, RoundMode::CAST_NONE, COLS);
        Mul(wide, wide, factors, COLS);
        computed.Pass();
        DataCopy(gy[r * COLS], wide, COLS);
        stored.Set();
    }
    read.Wait();
    stored.Wait();
    loaded.Release();
    read.Release();
    computed.Release();
    stored.Release();
}
