// y = tanh(x), in halves of one buffer in turn; what is done with a tile is a member that the template names.
#include "kernel_operator.h"
using namespace AscendC;

class TanhTiles {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t tiles, uint32_t tile)
    {
        tiles_ = tiles;
        tile_ = tile;
        const uint64_t start = GetBlockIdx() * static_cast<uint64_t>(tiles) * tile;
        xGm_.SetGlobalBuffer((__gm__ half*)x + start);
        yGm_.SetGlobalBuffer((__gm__ half*)y + start);
        pipe_.InitBuffer(buffer_, 2 * tile * sizeof(half));
    }

    template <void (TanhTiles::*step)(uint32_t)>
    __aicore__ inline void Process()
    {
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
        for (uint32_t at = 0; at < tiles_; ++at) {
            (this->*step)(at);
        }
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID1);
    }

    __aicore__ inline void Tile(uint32_t at)
    {
        const bool isSecond = at % 2 == 1;
        const event_t id = isSecond ? EVENT_ID1 : EVENT_ID0;
        LocalTensor<half> part = isSecond ? buffer_.Get<half>()[tile_] : buffer_.Get<half>();
        WaitFlag<HardEvent::MTE3_MTE2>(id);
        DataCopy(part, xGm_[at * tile_], tile_);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        Tanh(part, part, tile_);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(yGm_[at * tile_], part, tile_);
        SetFlag<HardEvent::MTE3_MTE2>(id);
    }

private:
    TPipe pipe_;
    TBuf<> buffer_;
    GlobalTensor<half> xGm_, yGm_;
    uint32_t tiles_, tile_;
};

// a2lint: launch(block_dim=2, x=half[1536], y=half[1536], tiles=3, tile=256)
extern "C" __global__ __aicore__ void tanh_ping_pong(GM_ADDR x, GM_ADDR y, uint32_t tiles, uint32_t tile)
{
    TanhTiles op;
    op.Init(x, y, tiles, tile);
    op.Process<&TanhTiles::Tile>();
}
