// Two stores to overlapping rows of GM: 5 of 5 runs on a device were wrong without a barrier of MTE3.
#include "kernel_operator.h"
using namespace AscendC;

enum Between { NOTHING, BARRIER, OTHER_ROWS };

template <Between BETWEEN>
__aicore__ inline void Store(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, 1024);
    yGm.SetGlobalBuffer((__gm__ float *)y, BETWEEN == OTHER_ROWS ? 1280 : 1024);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> all, head;
    pipe.InitBuffer(in, 1, 4096);
    pipe.InitBuffer(all, 1, 4096);
    pipe.InitBuffer(head, 1, 1024);
    LocalTensor<float> tile = in.AllocTensor<float>();
    DataCopy(tile, xGm, 1024);
    in.EnQue(tile);
    tile = in.DeQue<float>();
    LocalTensor<float> twice = all.AllocTensor<float>();
    LocalTensor<float> thrice = head.AllocTensor<float>();
    Muls(twice, tile, 2.0f, 1024);
    Muls(thrice, tile, 3.0f, 256);
    all.EnQue(twice);
    head.EnQue(thrice);
    in.FreeTensor(tile);
    twice = all.DeQue<float>();
    thrice = head.DeQue<float>();
    DataCopy(yGm, twice, 1024);
    if constexpr (BETWEEN == BARRIER) {
        PipeBarrier<PIPE_MTE3>();
    }
    if constexpr (BETWEEN == OTHER_ROWS) {
        DataCopy(yGm[1024], thrice, 256);
    } else {
        DataCopy(yGm, thrice, 256);  //~ ERROR race
    }
    all.FreeTensor(twice);
    head.FreeTensor(thrice);
}

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void at_once(GM_ADDR x, GM_ADDR y) { Store<NOTHING>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1024])
extern "C" __global__ __aicore__ void after_a_barrier(GM_ADDR x, GM_ADDR y) { Store<BARRIER>(x, y); }

// a2lint: launch(block_dim=1, x=float[1024], y=float[1280])
extern "C" __global__ __aicore__ void other_rows(GM_ADDR x, GM_ADDR y) { Store<OTHER_ROWS>(x, y); }
