// out[i, :] = table[ids[i], :]: rows picked by indices that a core has loaded.
#include "kernel_operator.h"

class Embedding {
public:
    __aicore__ inline void Init(GM_ADDR table, GM_ADDR ids, GM_ADDR out, uint32_t perCore, uint32_t width, uint32_t vocabulary)
    {
        perCore_ = perCore;
        width_ = width;
        table_.SetGlobalBuffer((__gm__ half*)table, vocabulary * width);
        ids_.SetGlobalBuffer((__gm__ int32_t*)ids + AscendC::GetBlockIdx() * perCore, perCore);
        out_.SetGlobalBuffer((__gm__ half*)out + AscendC::GetBlockIdx() * perCore * width, perCore * width);
        pipe_.InitBuffer(idBuf_, perCore * sizeof(int32_t));
        pipe_.InitBuffer(rows_, 2, width * sizeof(half));
    }

    __aicore__ inline void Process()
    {
        AscendC::LocalTensor<int32_t> id = idBuf_.Get<int32_t>();
        AscendC::DataCopy(id, ids_, perCore_);
        AscendC::TEventID loaded = pipe_.FetchEventID(AscendC::HardEvent::MTE2_S);
        AscendC::SetFlag<AscendC::HardEvent::MTE2_S>(loaded);
        AscendC::WaitFlag<AscendC::HardEvent::MTE2_S>(loaded);
        for (uint32_t i = 0; i < perCore_; i++) {
            int32_t row = id.GetValue(i);
            AscendC::LocalTensor<half> piece = rows_.AllocTensor<half>();
            AscendC::DataCopy(piece, table_[row * width_], width_);
            rows_.EnQue(piece);
            piece = rows_.DeQue<half>();
            AscendC::DataCopy(out_[i * width_], piece, width_);
            rows_.FreeTensor(piece);
        }
    }

private:
    AscendC::TPipe pipe_;
    AscendC::TBuf<AscendC::TPosition::VECCALC> idBuf_;
    AscendC::TQueBind<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1> rows_;
    AscendC::GlobalTensor<half> table_, out_;
    AscendC::GlobalTensor<int32_t> ids_;
    uint32_t perCore_, width_;
};

// a2lint: launch(block_dim=2, table=half[40, 64], ids=int[32], out=half[32, 64], perCore=16, width=64, vocabulary=40)
extern "C" __global__ __aicore__ void embedding(GM_ADDR table, GM_ADDR ids, GM_ADDR out, uint32_t perCore, uint32_t width, uint32_t vocabulary)
{
    Embedding op;
    op.Init(table, ids, out, perCore, width, vocabulary);
    op.Process();
}
