// Each core writes its part of a workspace and reads that of its neighbour: all cores must have written first.
#include "kernel_operator.h"
using namespace AscendC;

class Rotate {
public:
    __aicore__ inline Rotate() = default;
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR ws)
    {
        const uint32_t me = GetBlockIdx();
        const uint32_t next = (me + 1) % GetBlockNum();
        x_.SetGlobalBuffer((__gm__ half*)x + me * PART, PART);
        y_.SetGlobalBuffer((__gm__ half*)y + me * PART, PART);
        mine_.SetGlobalBuffer((__gm__ half*)ws + me * PART, PART);
        theirs_.SetGlobalBuffer((__gm__ half*)ws + next * PART, PART);
        pipe_.InitBuffer(move_, 2, PART * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        Copy(mine_, x_);
        SyncAll();//-
        Copy(y_, theirs_);
    }

private:
    __aicore__ inline void Copy(const GlobalTensor<half>& to, const GlobalTensor<half>& from)
    {
        auto t = move_.AllocTensor<half>();
//+        DataCopy(t, from, PART);  //~ order
        DataCopy(t, from, PART);//-
        move_.EnQue(t);
        t = move_.DeQue<half>();
        DataCopy(to, t, PART);
        move_.FreeTensor(t);
    }

    static constexpr uint32_t PART = 256;
    TPipe pipe_;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> move_;
    GlobalTensor<half> x_, y_, mine_, theirs_;
};

// a2lint: launch(block_dim=4, x=half[1024], y=half[1024], ws=half[1024])
extern "C" __global__ __aicore__ void rotate_parts(GM_ADDR x, GM_ADDR y, GM_ADDR ws)
{
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    Rotate op;
    op.Init(x, y, ws);
    op.Process();
}
