// One buffer without a queue: flags of the kernel's own order loads, vector work and stores, from tile to tile as well.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 1024;

// a2lint: launch(block_dim=4, x=float[4, 4096], y=float[4, 4096], tiles=4)
extern "C" __global__ __aicore__ void scale_in_place(GM_ADDR x, GM_ADDR y, uint32_t tiles)
{
    TPipe pipe;
    TBuf<> space;
    pipe.InitBuffer(space, TILE * sizeof(float));
    LocalTensor<float> t = space.Get<float>();
    GlobalTensor<float> gx, gy;
    const uint32_t start = GetBlockIdx() * tiles * TILE;
    gx.SetGlobalBuffer((__gm__ float *)x + start, tiles * TILE);
    gy.SetGlobalBuffer((__gm__ float *)y + start, tiles * TILE);

    event_t loaded = static_cast<event_t>(GetTPipePtr()->AllocEventID<HardEvent::MTE2_V>());
    event_t scaled = static_cast<event_t>(GetTPipePtr()->AllocEventID<HardEvent::V_MTE3>());
    event_t stored = static_cast<event_t>(GetTPipePtr()->AllocEventID<HardEvent::MTE3_MTE2>());
    for (uint32_t i = 0; i < tiles; ++i) {
        if (i > 0) {
            WaitFlag<HardEvent::MTE3_MTE2>(stored);
        }
        DataCopy(t, gx[i * TILE], TILE);
        SetFlag<HardEvent::MTE2_V>(loaded);
        WaitFlag<HardEvent::MTE2_V>(loaded);
        Muls(t, t, 2.0f, TILE);
        SetFlag<HardEvent::V_MTE3>(scaled);
        WaitFlag<HardEvent::V_MTE3>(scaled);
        DataCopy(gy[i * TILE], t, TILE);
        if (i + 1 < tiles) {
            SetFlag<HardEvent::MTE3_MTE2>(stored);
        }
    }
}
