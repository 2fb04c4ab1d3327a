// A queue takes the lowest free event id of its pair of pipes. A flag set by hand with that id is set twice, and nine
// buffers that hold an id at once are one more than there are.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t WIDTH = 64;

struct Sum {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> weights;
    GlobalTensor<float> xGm, wGm, yGm;

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y)
    {
        xGm.SetGlobalBuffer((__gm__ float *)x);
        wGm.SetGlobalBuffer((__gm__ float *)w);
        yGm.SetGlobalBuffer((__gm__ float *)y);
        pipe.InitBuffer(in, 2, WIDTH * sizeof(float));
        pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
        pipe.InitBuffer(weights, WIDTH * sizeof(float));
    }
    __aicore__ inline void Store(uint32_t row, LocalTensor<float> a, LocalTensor<float> t)
    {
        LocalTensor<float> b = out.AllocTensor<float>();
        Add(b, a, t, WIDTH);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(yGm[row * WIDTH], b, WIDTH);
        out.FreeTensor(b);
    }
};

// a2lint: launch(block_dim=2, x=float[320], w=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void flag_of_the_queue(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t rows)
{
    Sum it;
    it.Init(x, w, y);
    LocalTensor<float> t = it.weights.Get<float>();
    SetFlag<HardEvent::V_MTE2>(EVENT_ID6);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.in.AllocTensor<float>();
        DataCopy(a, it.xGm[row * WIDTH], WIDTH);
        it.in.EnQue(a);
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID6);
        DataCopy(t, it.wGm[row * WIDTH], WIDTH);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0); //~ INFO event-budget: queue `in` has taken the id
        a = it.in.DeQue<float>();
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        it.Store(row, a, t);
        SetFlag<HardEvent::V_MTE2>(EVENT_ID6);
    }
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID6);
}

// The queue holds id 0, and no more than one at a time.
// a2lint: launch(block_dim=2, x=float[320], w=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void flag_of_its_own(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t rows)
{
    Sum it;
    it.Init(x, w, y);
    LocalTensor<float> t = it.weights.Get<float>();
    SetFlag<HardEvent::V_MTE2>(EVENT_ID6);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.in.AllocTensor<float>();
        DataCopy(a, it.xGm[row * WIDTH], WIDTH);
        it.in.EnQue(a);
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID6);
        DataCopy(t, it.wGm[row * WIDTH], WIDTH);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID1);
        a = it.in.DeQue<float>();
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);
        it.Store(row, a, t);
        SetFlag<HardEvent::V_MTE2>(EVENT_ID6);
    }
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID6);
}

// The pool gives an id that no queue holds.
// a2lint: launch(block_dim=2, x=float[320], w=float[320], y=float[320], rows=5)
extern "C" __global__ __aicore__ void flag_of_the_pool(GM_ADDR x, GM_ADDR w, GM_ADDR y, uint32_t rows)
{
    Sum it;
    it.Init(x, w, y);
    LocalTensor<float> t = it.weights.Get<float>();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> a = it.in.AllocTensor<float>();
        DataCopy(a, it.xGm[row * WIDTH], WIDTH);
        it.in.EnQue(a);
        a = it.in.DeQue<float>();
        event_t free = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
        SetFlag<HardEvent::V_MTE2>(free);
        WaitFlag<HardEvent::V_MTE2>(free);
        DataCopy(t, it.wGm[row * WIDTH], WIDTH);
        event_t loaded = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));
        SetFlag<HardEvent::MTE2_V>(loaded);
        WaitFlag<HardEvent::MTE2_V>(loaded);
        it.Store(row, a, t);
    }
}

// Each buffer that is given back holds an id until it is handed out again.
template <uint32_t BUFFERS>
__aicore__ inline void SumOfFour(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in[4];
    TQue<TPosition::VECOUT, 1> out;
    for (uint32_t part = 0; part < 4; part++) {
        pipe.InitBuffer(in[part], BUFFERS, WIDTH * sizeof(float));
    }
    pipe.InitBuffer(out, 2, WIDTH * sizeof(float));
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x);
    yGm.SetGlobalBuffer((__gm__ float *)y);
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<float> parts[4];
        for (uint32_t part = 0; part < 4; part++) {
            parts[part] = in[part].AllocTensor<float>();
            DataCopy(parts[part], xGm[(row * 4 + part) * WIDTH], WIDTH);
            in[part].EnQue(parts[part]);
        }
        for (uint32_t part = 0; part < 4; part++) {
            parts[part] = in[part].DeQue<float>();
        }
        LocalTensor<float> sum = out.AllocTensor<float>();
        Add(sum, parts[0], parts[1], WIDTH);
        Add(sum, sum, parts[2], WIDTH);
        Add(sum, sum, parts[3], WIDTH);
        for (uint32_t part = 0; part < 4; part++) {
            in[part].FreeTensor(parts[part]); //~ ERROR event-budget: other buffers hold all 8 of them
        }
        out.EnQue(sum);
        sum = out.DeQue<float>();
        DataCopy(yGm[row * WIDTH], sum, WIDTH);
        out.FreeTensor(sum);
    }
}

// a2lint: launch(block_dim=2, x=float[2560], y=float[640], rows=10)
extern "C" __global__ __aicore__ void twelve_buffers(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    SumOfFour<3>(x, y, rows);
}

// a2lint: launch(block_dim=2, x=float[2560], y=float[640], rows=10)
extern "C" __global__ __aicore__ void eight_buffers(GM_ADDR x, GM_ADDR y, uint32_t rows)
{
    SumOfFour<2>(x, y, rows);
}
//~ VERDICT flag_of_its_own.progress: holds
//~ VERDICT flag_of_the_pool.progress: holds
//~ VERDICT eight_buffers.progress: holds
