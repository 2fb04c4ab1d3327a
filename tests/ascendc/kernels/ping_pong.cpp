// y = 2 x + 1 with two halves of one buffer and flags by hand: loads run ahead of the computation.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

class PingPong {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t tiles)
    {
        tiles_ = tiles;
        x_.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * tiles * TILE, tiles * TILE);
        y_.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * tiles * TILE, tiles * TILE);
        pipe_.InitBuffer(buf_, 2 * TILE * sizeof(float));
        half_[0] = buf_.GetWithOffset<float>(TILE, 0);
        half_[1] = buf_.GetWithOffset<float>(TILE, TILE * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
        for (uint32_t i = 0; i < tiles_; i += 2) {
            Step(i, half_[0], EVENT_ID0);
            if (i + 1 < tiles_) {
                Step(i + 1, half_[1], EVENT_ID1);
            }
        }
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    }

private:
    __aicore__ inline void Step(uint32_t i, const LocalTensor<float>& t, event_t id)
    {
        WaitFlag<HardEvent::MTE3_MTE2>(id);
        DataCopy(t, x_[i * TILE], TILE);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        Muls(t, t, 2.0f, TILE);
        PipeBarrier<PIPE_V>();
        Adds(t, t, 1.0f, TILE);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(y_[i * TILE], t, TILE);
        SetFlag<HardEvent::MTE3_MTE2>(id);
    }

    TPipe pipe_;
    TBuf<TPosition::VECCALC> buf_;
    LocalTensor<float> half_[2];
    GlobalTensor<float> x_, y_;
    uint32_t tiles_;
};

// a2lint: launch(block_dim=2, x=float[6, 1024], y=float[6, 1024], tiles=3)
extern "C" __global__ __aicore__ void ping_pong(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    PingPong op;
    op.Init(x, y, tiles);
    op.Process();
}
