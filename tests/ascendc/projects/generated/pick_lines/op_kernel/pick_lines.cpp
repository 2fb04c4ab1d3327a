// Copies lines in blocks and marks them: a pointer to a part of the tiling data, a queue bound from load to store, a
// method called as a function of the API, a template parameter called as the build calls types.
// mistake: bounds: DataCopy(mark_[0], marks, 8); => DataCopy(mark_[8], marks, 8);
#include "kernel_operator.h"

namespace Lines {
using namespace AscendC;

template <typename DTYPE_T>
class Pick {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR mark, GM_ADDR y, const PickLinesTilingData *data, TPipe *pipe);
    __aicore__ inline void Process();

private:
    __aicore__ inline void SyncAll();

    TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> lines_;
    TQue<QuePosition::VECOUT, 1> marks_;
    GlobalTensor<DTYPE_T> x_, y_;
    GlobalTensor<int32_t> mark_;
    const LineTiling *sizes_;
    bool has_marks_;
};

template <typename DTYPE_T>
__aicore__ inline void Pick<DTYPE_T>::Init(
    GM_ADDR x, GM_ADDR mark, GM_ADDR y, const PickLinesTilingData *data, TPipe *pipe)
{
    sizes_ = &(data->lines);
    has_marks_ = data->marks;
    uint32_t start = GetBlockIdx() * sizes_->share;
    x_.SetGlobalBuffer((__gm__ DTYPE_T *)x + start, sizes_->share);
    y_.SetGlobalBuffer((__gm__ DTYPE_T *)y + start, sizes_->share);
    mark_.SetGlobalBuffer((__gm__ int32_t *)mark + GetBlockIdx() * 8, 8);
    pipe->InitBuffer(lines_, 2, sizes_->line * sizeof(DTYPE_T));
    pipe->InitBuffer(marks_, 1, 32);
}

template <typename DTYPE_T>
__aicore__ inline void Pick<DTYPE_T>::SyncAll()
{
    AscendC::SyncAll();
}

template <typename DTYPE_T>
__aicore__ inline void Pick<DTYPE_T>::Process()
{
    LocalTensor<DTYPE_T> line;
    for (uint32_t at = 0; at < sizes_->share; at += sizes_->line) {
        line = lines_.template AllocTensor<DTYPE_T>();
        DataCopy(line, x_[at], sizes_->line);
        lines_.template EnQue<QuePosition::VECIN, QuePosition::VECOUT, DTYPE_T>(line);
        line = lines_.template DeQue<QuePosition::VECIN, QuePosition::VECOUT, DTYPE_T>();
        DataCopy(y_[at], line, sizes_->line);
        lines_.FreeTensor(line);
    }
    SyncAll();
    if (has_marks_) {
        LocalTensor marks = marks_.AllocTensor<int32_t>();
        Duplicate(marks, static_cast<int32_t>(1), 8);
        marks_.EnQue(marks);
        marks = marks_.DeQue<int32_t>();
        DataCopy(mark_[0], marks, 8);
        marks_.FreeTensor(marks);
    }
}
} // namespace Lines

extern "C" __global__ __aicore__ void pick_lines(
    GM_ADDR x, GM_ADDR mark, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)
{
    GET_TILING_DATA(data, tiling);
    AscendC::TPipe pipe;
    Lines::Pick<DTYPE_X> op;
    op.Init(x, mark, y, &data, &pipe);
    op.Process();
}
