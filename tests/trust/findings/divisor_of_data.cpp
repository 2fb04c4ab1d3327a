// A divisor that is read from a tensor: what the checker puts there says nothing. One that the launch gives does.
#include "kernel_operator.h"
using namespace AscendC;

struct ShareTiling {
    uint32_t total;
    uint32_t shares;
};

class Shares {
public:
    __aicore__ inline void Init(GM_ADDR table, GM_ADDR y, uint32_t length)
    {
        length_ = length;
        tableGm_.SetGlobalBuffer((__gm__ int32_t *)table);
        yGm_.SetGlobalBuffer((__gm__ int32_t *)y);
        pipe_.InitBuffer(outBuf_, 256);
    }
    __aicore__ inline void Store(int32_t part)
    {
        LocalTensor<int32_t> out = outBuf_.Get<int32_t>();
        Duplicate(out, part, 64);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(yGm_, out, 64);
    }
    __aicore__ inline void OfTable()
    {
        int32_t shares = tableGm_.GetValue(0);
        Store(length_ / shares);
    }

private:
    TPipe pipe_;
    TBuf<TPosition::VECCALC> outBuf_;
    GlobalTensor<int32_t> tableGm_, yGm_;
    uint32_t length_;
};

extern "C" __global__ __aicore__ void of_table(GM_ADDR table, GM_ADDR y, ShareTiling tiling)
{
    Shares op;
    op.Init(table, y, tiling.total);
    op.OfTable();
}

// a2lint: launch(block_dim=1, y=int32[64], tiling.total=7, tiling.shares=0)
extern "C" __global__ __aicore__ void of_launch(GM_ADDR y, ShareTiling tiling)
{
    Shares op;
    op.Init(y, y, tiling.total);
    op.Store(tiling.total / tiling.shares);  //~ ERROR undefined-arithmetic: `tiling.total / tiling.shares` divides 7 by 0
}
