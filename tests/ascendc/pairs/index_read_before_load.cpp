// Indices are read by the scalar unit right after their load was issued, in a build without automatic synchronisation.
// a2lint: auto-sync off
#include "kernel_operator.h"
using namespace AscendC;

class TakeRows {
    static constexpr int32_t WIDTH = 32;
    TPipe* pipe_;
    TBuf<TPosition::VECCALC> ids_;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows_;
    GlobalTensor<float> table_, out_;
    GlobalTensor<int32_t> pick_;

public:
    __aicore__ inline TakeRows(TPipe* pipe, GM_ADDR table, GM_ADDR pick, GM_ADDR out) : pipe_(pipe)
    {
        table_.SetGlobalBuffer((__gm__ float*)table);
        pick_.SetGlobalBuffer((__gm__ int32_t*)pick);
        out_.SetGlobalBuffer((__gm__ float*)out);
        pipe_->InitBuffer(ids_, 8 * sizeof(int32_t));
        pipe_->InitBuffer(rows_, 2, WIDTH * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<int32_t> ids = ids_.Get<int32_t>();
        DataCopy(ids, pick_, 8);
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
        Maxs(ids, ids, 0, 8);
        PipeBarrier<PIPE_V>();
        Mins(ids, ids, 15, 8);
        SetFlag<HardEvent::V_S>(EVENT_ID1);//-
        WaitFlag<HardEvent::V_S>(EVENT_ID1);//-
        for (int32_t i = 0; i < 8; ++i) {
//+            const int32_t row = ids.GetValue(i);  //~ order
            const int32_t row = ids.GetValue(i);//-
            auto t = rows_.AllocTensor<float>();
            DataCopy(t, table_[row * WIDTH], WIDTH);
            rows_.EnQue(t);
            t = rows_.DeQue<float>();
            DataCopy(out_[i * WIDTH], t, WIDTH);
            rows_.FreeTensor(t);
        }
    }
};

// a2lint: launch(block_dim=1, table=float[16, 32], pick=int[8], out=float[8, 32])
extern "C" __global__ __aicore__ void take_rows(GM_ADDR table, GM_ADDR pick, GM_ADDR out)
{
    TPipe pipe;
    TakeRows op(&pipe, table, pick, out);
    op.Process();
}
