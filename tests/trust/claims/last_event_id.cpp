// Ids of events that a loop computes: the last one decides.
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t PIECE = 1024, SLOTS = 2;

template <int FIRST>
__aicore__ inline void Square(GM_ADDR x, GM_ADDR y)
{
    InitSocState();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 8 * PIECE, 8 * PIECE);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 8 * PIECE, 8 * PIECE);
    LocalTensor<float> a[SLOTS] = {LocalTensor<float>(TPosition::VECIN, 0, PIECE),
                                   LocalTensor<float>(TPosition::VECIN, 4 * PIECE, PIECE)};
    LocalTensor<float> b[SLOTS] = {LocalTensor<float>(TPosition::VECOUT, 8 * PIECE, PIECE),
                                   LocalTensor<float>(TPosition::VECOUT, 12 * PIECE, PIECE)};
    for (uint32_t slot = 0; slot < SLOTS; ++slot) {
        SetFlag<HardEvent::V_MTE2>(slot);
        SetFlag<HardEvent::MTE3_V>(slot);
    }
    for (uint32_t piece = 0; piece < 8; ++piece) {
        uint32_t slot = piece % SLOTS;
        WaitFlag<HardEvent::V_MTE2>(slot);
        DataCopy(a[slot], from[piece * PIECE], PIECE);
        if constexpr (FIRST == 7) {
            SetFlag<HardEvent::MTE2_V>(slot + FIRST);  //~ ERROR event-budget: flag 8 from MTE2 to V: the pair has 0 to 7
            WaitFlag<HardEvent::MTE2_V>(slot + FIRST); //~ ERROR event-budget: flag 8 from MTE2 to V
        } else {
            SetFlag<HardEvent::MTE2_V>(slot + FIRST);
            WaitFlag<HardEvent::MTE2_V>(slot + FIRST);
        }
        WaitFlag<HardEvent::MTE3_V>(slot);
        Mul(b[slot], a[slot], a[slot], PIECE);
        SetFlag<HardEvent::V_MTE2>(slot);
        SetFlag<HardEvent::V_MTE3>(slot);
        WaitFlag<HardEvent::V_MTE3>(slot);
        DataCopy(to[piece * PIECE], b[slot], PIECE);
        SetFlag<HardEvent::MTE3_V>(slot);
    }
    for (uint32_t slot = 0; slot < SLOTS; ++slot) {
        WaitFlag<HardEvent::V_MTE2>(slot);
        WaitFlag<HardEvent::MTE3_V>(slot);
    }
    PipeBarrier<PIPE_ALL>();
}

// a2lint: launch(block_dim=4, x=float[32768], y=float[32768])
extern "C" __global__ __aicore__ void beyond(GM_ADDR x, GM_ADDR y)
{
    Square<7>(x, y);
}

// a2lint: launch(block_dim=4, x=float[32768], y=float[32768])
extern "C" __global__ __aicore__ void inside(GM_ADDR x, GM_ADDR y)
{
    Square<4>(x, y);
}
