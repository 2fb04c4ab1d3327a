// Tensors that a loop stores in an array, at numbers of the launch: which of them are prepared is not followed.
#include "kernel_operator.h"
using namespace AscendC;

struct Tiling {
    uint32_t lists;
};

template <uint32_t PART>
class Gathered {
public:
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, uint32_t lists)
    {
        TPipe pipe;
        pipe.InitBuffer(buf, 4 * 256);
        LocalTensor<float> all = buf.Get<float>();
        for (uint32_t i = 0; i < lists; i++) {
            GlobalTensor<float> part;
            part.SetGlobalBuffer((__gm__ float *)x + i * 64, 64);
            Add(part, all[i * PART]);
        }
        for (uint32_t i = 0; i < count; i++) {
            DataCopy(tiles[i], parts[i], 64);
        }
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Muls(all, all, 2.0f, lists * 64);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        GlobalTensor<float> to;
        to.SetGlobalBuffer((__gm__ float *)y, 256);
        DataCopy(to, all, lists * 64);
    }

private:
    __aicore__ inline void Add(GlobalTensor<float> &part, LocalTensor<float> tile)
    {
        parts[count] = part;
        tiles[count] = tile;
        count += 1;
    }

    TBuf<TPosition::VECCALC> buf;
    GlobalTensor<float> parts[4];
    LocalTensor<float> tiles[4];
    uint32_t count{0};
};

// a2lint: launch(block_dim=1, x=float[192], y=float[192], tiling.lists=3)
extern "C" __global__ __aicore__ void side_by_side(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Tiling, data, tiling);
    Gathered<64> op;
    op.Run(x, y, data.lists);
}

// Tiles of 64 elements that lie 32 apart.
// a2lint: launch(block_dim=1, x=float[192], y=float[192], tiling.lists=3)
extern "C" __global__ __aicore__ void too_close(GM_ADDR x, GM_ADDR y, GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Tiling, data, tiling);
    Gathered<32> op;
    op.Run(x, y, data.lists);
}
//~ VERDICT side_by_side.bounds: undecided
//~ VERDICT too_close.order: undecided
