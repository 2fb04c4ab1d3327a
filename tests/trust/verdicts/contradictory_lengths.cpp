// Lengths of an output that no launch has together prove nothing: accesses reach 64 * rows elements, and all of it would
// be stored only if it had at most `rows`.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t WIDTH = 64;

//~ VERDICT ownership: undecided
extern "C" __global__ __aicore__ void add_rows(GM_ADDR x, GM_ADDR r, GM_ADDR y, uint32_t rows)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 2> inX, inR;
    TQue<TPosition::VECOUT, 2> outY;
    pipe.InitBuffer(inX, 2, WIDTH * sizeof(half));
    pipe.InitBuffer(inR, 2, WIDTH * sizeof(half));
    pipe.InitBuffer(outY, 2, WIDTH * sizeof(half));
    GlobalTensor<half> gx, gr, gy;
    gx.SetGlobalBuffer((__gm__ half*)x);
    gr.SetGlobalBuffer((__gm__ half*)r);
    gy.SetGlobalBuffer((__gm__ half*)y);

    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
        LocalTensor<half> tx = inX.AllocTensor<half>();
        LocalTensor<half> tr = inR.AllocTensor<half>();
        DataCopy(tx, gx[row * WIDTH], WIDTH);
        DataCopy(tr, gr[row * WIDTH], WIDTH);
        inX.EnQue(tx);
        inR.EnQue(tr);
        tx = inX.DeQue<half>();
        tr = inR.DeQue<half>();
        LocalTensor<half> ty = outY.AllocTensor<half>();
        Add(ty, tx, tr, WIDTH);
        outY.EnQue(ty);
        ty = outY.DeQue<half>();
        DataCopy(gy[row * WIDTH], ty, WIDTH);
        inX.FreeTensor(tx);
        inR.FreeTensor(tr);
        outY.FreeTensor(ty);
    }
}
