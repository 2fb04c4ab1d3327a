// Shares of cores as kernels of other hands deal them out: each element is stored, by one core.
#include "kernel_operator.h"
using namespace AscendC;

// Doubles what it is told to.
class Doubler {
protected:
    __aicore__ inline void Prepare(GM_ADDR x, GM_ADDR y, uint32_t most, TPipe *pipe)
    {
        x_.SetGlobalBuffer((__gm__ float *)x);
        y_.SetGlobalBuffer((__gm__ float *)y);
        pipe->InitBuffer(in_, 2, most * sizeof(float));
        pipe->InitBuffer(out_, 2, most * sizeof(float));
    }
    __aicore__ inline void One(int64_t at, uint32_t n)
    {
        LocalTensor<float> a = in_.AllocTensor<float>();
        DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};
        DataCopyPad(a, x_[at], copy, {false, 0, 0, 0.0f});
        in_.EnQue(a);
        a = in_.DeQue<float>();
        LocalTensor<float> b = out_.AllocTensor<float>();
        Muls(b, a, 2.0f, n);
        in_.FreeTensor(a);
        out_.EnQue(b);
        b = out_.DeQue<float>();
        DataCopyPad(y_[at], b, copy);
        out_.FreeTensor(b);
    }

private:
    TQue<TPosition::VECIN, 2> in_;
    TQue<TPosition::VECOUT, 2> out_;
    GlobalTensor<float> x_, y_;
};

struct FormerTailTiling {
    uint32_t formerNum;
    uint32_t formerLength;
    uint32_t tailLength;
};

// Long shares for the first cores, shorter ones for the others.
class FormerTail : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const FormerTailTiling &t, TPipe *pipe)
    {
        if (GetBlockIdx() < t.formerNum) {
            len_ = t.formerLength;
            start_ = t.formerLength * GetBlockIdx();
        } else {
            len_ = t.tailLength;
            start_ = t.formerLength * t.formerNum + t.tailLength * (GetBlockIdx() - t.formerNum);
        }
        Prepare(x, y, 1024, pipe);
    }
    __aicore__ inline void Process()
    {
        uint32_t tiles = (len_ + 1023) / 1024;
        for (uint32_t i = 0; i < tiles; i++) {
            uint32_t n = (i == tiles - 1) ? len_ - i * 1024 : 1024;
            One(start_ + i * 1024, n);
        }
    }

private:
    uint32_t len_, start_;
};

//~ VERDICT former_tail.ownership: holds
// a2lint: launch(block_dim=4, x=float[6800], y=float[6800], tiling.formerNum=2, tiling.formerLength=2400, tiling.tailLength=1000)
extern "C" __global__ __aicore__ void former_tail(GM_ADDR x, GM_ADDR y, FormerTailTiling tiling)
{
    TPipe pipe;
    FormerTail op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}

struct BlockFactorTiling {
    int64_t blockFactor;
    int64_t tailFactor;
    int64_t usedCores;
};

// The last of the cores that are used takes what is left.
class BlockFactor : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const BlockFactorTiling &t, TPipe *pipe)
    {
        t_ = t;
        idx_ = GetBlockIdx();
        len_ = idx_ == t.usedCores - 1 ? t.tailFactor : t.blockFactor;
        start_ = idx_ * t.blockFactor;
        Prepare(x, y, 1024, pipe);
    }
    __aicore__ inline void Process()
    {
        if (idx_ >= t_.usedCores) {
            return;
        }
        for (int64_t at = 0; at < len_; at += 1024) {
            One(start_ + at, len_ - at < 1024 ? len_ - at : 1024);
        }
    }

private:
    BlockFactorTiling t_;
    int64_t idx_, len_, start_;
};

//~ VERDICT block_factor.ownership: tested
// a2lint: launch(block_dim=4, x=float[4300], y=float[4300], tiling.blockFactor=1500, tiling.tailFactor=1300, tiling.usedCores=3)
extern "C" __global__ __aicore__ void block_factor(GM_ADDR x, GM_ADDR y, BlockFactorTiling tiling)
{
    TPipe pipe;
    BlockFactor op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}

struct FirstCoreAloneTiling {
    uint32_t total;
};

// One core does all of it.
class FirstCoreAlone : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const FirstCoreAloneTiling &t, TPipe *pipe)
    {
        len_ = t.total;
        start_ = 0;
        Prepare(x, y, 1024, pipe);
    }
    __aicore__ inline void Process()
    {
        if (GetBlockIdx() != 0) {
            return;
        }
        uint32_t tiles = (len_ + 1023) / 1024;
        for (uint32_t i = 0; i < tiles; i++) {
            uint32_t n = (i == tiles - 1) ? len_ - i * 1024 : 1024;
            One(start_ + i * 1024, n);
        }
    }

private:
    uint32_t len_, start_;
};

//~ VERDICT first_core_alone.ownership: holds
// a2lint: launch(block_dim=4, x=float[2500], y=float[2500], tiling.total=2500)
extern "C" __global__ __aicore__ void first_core_alone(GM_ADDR x, GM_ADDR y, FirstCoreAloneTiling tiling)
{
    TPipe pipe;
    FirstCoreAlone op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}

struct RowsLastCoreTiling {
    uint32_t rowsPerCore;
    uint32_t rowsLastCore;
    uint32_t cols;
};

// Rows by cores; the last one has fewer, or more.
class RowsLastCore : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RowsLastCoreTiling &t, TPipe *pipe)
    {
        uint32_t idx = GetBlockIdx();
        rows_ = (idx == GetBlockNum() - 1) ? t.rowsLastCore : t.rowsPerCore;
        cols_ = t.cols;
        start_ = static_cast<uint64_t>(idx) * t.rowsPerCore * t.cols;
        Prepare(x, y, t.cols, pipe);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t r = 0; r < rows_; ++r) {
            One(start_ + r * cols_, cols_);
        }
    }

private:
    uint32_t rows_, cols_;
    uint64_t start_;
};

//~ VERDICT rows_last_core.ownership: holds
// a2lint: launch(block_dim=3, x=float[840], y=float[840], tiling.rowsPerCore=3, tiling.rowsLastCore=1, tiling.cols=120)
extern "C" __global__ __aicore__ void rows_last_core(GM_ADDR x, GM_ADDR y, RowsLastCoreTiling tiling)
{
    TPipe pipe;
    RowsLastCore op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}

struct ShareWithRestTiling {
    uint32_t share;
    uint32_t rest;
};

// The last core takes its share and the rest.
class ShareWithRest : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const ShareWithRestTiling &t, TPipe *pipe)
    {
        len_ = t.share + (GetBlockNum() == GetBlockIdx() + 1 ? t.rest : 0);
        start_ = t.share * GetBlockIdx();
        Prepare(x, y, 1024, pipe);
    }
    __aicore__ inline void Process()
    {
        uint32_t tiles = (len_ + 1023) / 1024;
        for (uint32_t i = 0; i < tiles; i++) {
            uint32_t n = (i == tiles - 1) ? len_ - i * 1024 : 1024;
            One(start_ + i * 1024, n);
        }
    }

private:
    uint32_t len_, start_;
};

//~ VERDICT share_with_rest.ownership: holds
// a2lint: launch(block_dim=3, x=float[4607], y=float[4607], tiling.share=1500, tiling.rest=107)
extern "C" __global__ __aicore__ void share_with_rest(GM_ADDR x, GM_ADDR y, ShareWithRestTiling tiling)
{
    TPipe pipe;
    ShareWithRest op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}

struct StridedRowsTiling {
    int64_t rows;
    int64_t cols;
    int64_t usedCores;
};

// Rows in turn, among fewer cores than there are.
class StridedRows : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const StridedRowsTiling &t, TPipe *pipe)
    {
        t_ = t;
        Prepare(x, y, t.cols, pipe);
    }
    __aicore__ inline void Process()
    {
        if (GetBlockIdx() >= t_.usedCores) {
            return;
        }
        for (int64_t r = GetBlockIdx(); r < t_.rows; r += t_.usedCores) {
            One(r * t_.cols, t_.cols);
        }
    }

private:
    StridedRowsTiling t_;
};

//~ VERDICT strided_rows.ownership: tested
// a2lint: launch(block_dim=4, x=float[1200], y=float[1200], tiling.rows=10, tiling.cols=120, tiling.usedCores=3)
extern "C" __global__ __aicore__ void strided_rows(GM_ADDR x, GM_ADDR y, StridedRowsTiling tiling)
{
    TPipe pipe;
    StridedRows op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}

struct RemainderSpreadTiling {
    uint32_t total;
};

// One element more for the first cores.
class RemainderSpread : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const RemainderSpreadTiling &t, TPipe *pipe)
    {
        uint32_t base = t.total / GetBlockNum();
        uint32_t rest = t.total % GetBlockNum();
        uint32_t idx = GetBlockIdx();
        len_ = base + (idx < rest ? 1 : 0);
        start_ = idx * base + (idx < rest ? idx : rest);
        Prepare(x, y, 1024, pipe);
    }
    __aicore__ inline void Process()
    {
        uint32_t tiles = (len_ + 1023) / 1024;
        for (uint32_t i = 0; i < tiles; i++) {
            uint32_t n = (i == tiles - 1) ? len_ - i * 1024 : 1024;
            One(start_ + i * 1024, n);
        }
    }

private:
    uint32_t len_, start_;
};

//~ VERDICT remainder_spread.ownership: tested
// a2lint: launch(block_dim=3, x=float[2500], y=float[2500], tiling.total=2500)
extern "C" __global__ __aicore__ void remainder_spread(GM_ADDR x, GM_ADDR y, RemainderSpreadTiling tiling)
{
    TPipe pipe;
    RemainderSpread op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}

struct LoopsAndTailTiling {
    uint32_t perCore;
    uint32_t loops;
    uint32_t tile;
    uint32_t tail;
};

// Whole tiles, then the tail, as the host counts them.
class LoopsAndTail : public Doubler {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const LoopsAndTailTiling &t, TPipe *pipe)
    {
        t_ = t;
        start_ = GetBlockIdx() * t.perCore;
        Prepare(x, y, t.tile, pipe);
    }
    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < t_.loops; i++) {
            One(start_ + i * t_.tile, t_.tile);
        }
        if (t_.tail > 0) {
            One(start_ + t_.loops * t_.tile, t_.tail);
        }
    }

private:
    LoopsAndTailTiling t_;
    uint32_t start_;
};

//~ VERDICT loops_and_tail.ownership: holds
// a2lint: launch(block_dim=3, x=float[840], y=float[840], tiling.perCore=280, tiling.loops=2, tiling.tile=120, tiling.tail=40)
extern "C" __global__ __aicore__ void loops_and_tail(GM_ADDR x, GM_ADDR y, LoopsAndTailTiling tiling)
{
    TPipe pipe;
    LoopsAndTail op;
    op.Init(x, y, tiling, &pipe);
    op.Process();
}
