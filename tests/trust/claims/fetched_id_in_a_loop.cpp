// `FetchEventID` reserves no id: a queue takes the same one as soon as it sets a flag of the same pipes.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t TILE = 1024;
constexpr int32_t TILES = 4;

template <bool held> class Scale {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y)
    {
        from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * TILE * TILES, TILE * TILES);
        to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * TILE * TILES, TILE * TILES);
        pipe.InitBuffer(loaded, 2, TILE * sizeof(float));
        pipe.InitBuffer(scaled, 2, TILE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        event_t before = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
        if constexpr (held) {
            SetFlag<HardEvent::V_MTE2>(before);
        }
        for (int32_t i = 0; i < TILES; ++i) {
            LocalTensor<float> a = loaded.AllocTensor<float>();
            if constexpr (held) {
                WaitFlag<HardEvent::V_MTE2>(before);
            }
            DataCopy(a, from[i * TILE], TILE);
            loaded.EnQue(a);
            a = loaded.DeQue<float>();
            LocalTensor<float> c = scaled.AllocTensor<float>();
            Muls(c, a, 2.0f, TILE);
            loaded.FreeTensor(a);
            if constexpr (held) {
                SetFlag<HardEvent::V_MTE2>(before); //~ INFO event-budget: has taken the id
            } else {
                event_t now = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
                SetFlag<HardEvent::V_MTE2>(now);
                WaitFlag<HardEvent::V_MTE2>(now);
            }
            scaled.EnQue(c);
            c = scaled.DeQue<float>();
            DataCopy(to[i * TILE], c, TILE);
            scaled.FreeTensor(c);
        }
        if constexpr (held) {
            WaitFlag<HardEvent::V_MTE2>(before);
        }
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 2> loaded;
    TQue<TPosition::VECOUT, 2> scaled;
    GlobalTensor<float> from, to;
};

// a2lint: launch(block_dim=2, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void held_over_tiles(GM_ADDR x, GM_ADDR y) //~ VERDICT held_over_tiles.progress: refuted
{
    Scale<true> op;
    op.Init(x, y);
    op.Process();
}

// a2lint: launch(block_dim=2, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void fetched_anew(GM_ADDR x, GM_ADDR y) //~ VERDICT fetched_anew.progress: proved
{
    Scale<false> op;
    op.Init(x, y);
    op.Process();
}
