// Sines and cosines in the forms of the toolkit: with memory of their own, in parts, in half, over their source.
#include "kernel_operator.h"
using namespace AscendC;

template <typename T, bool COSINE, bool REUSES, int SHARED>
__aicore__ inline void Wave(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> loads;
    TQue<TPosition::VECOUT, 1> stores;
    TBuf<TPosition::VECCALC> shared;
    GlobalTensor<T> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ T *)x, 128);
    yGm.SetGlobalBuffer((__gm__ T *)y, 128);
    pipe.InitBuffer(loads, 1, 128 * sizeof(T));
    pipe.InitBuffer(stores, 1, 128 * sizeof(T));
    LocalTensor<T> in = loads.AllocTensor<T>();
    DataCopy(in, xGm, 128);
    loads.EnQue(in);
    in = loads.DeQue<T>();
    LocalTensor<T> out = stores.AllocTensor<T>();
    if constexpr (SHARED > 0) {
        pipe.InitBuffer(shared, SHARED);
        LocalTensor<uint8_t> tmp = shared.Get<uint8_t>();
        if constexpr (COSINE) {
            Cos<T, REUSES>(out, in, tmp, 128);
        } else {
            Sin<T, REUSES>(out, in, tmp, 128);
        }
    } else if constexpr (COSINE) {
        Cos<T, REUSES>(out, in, 128);
    } else {
        Sin<T, REUSES>(out, in);
    }
    stores.EnQue(out);
    loads.FreeTensor(in);
    out = stores.DeQue<T>();
    DataCopy(yGm, out, 128);
    stores.FreeTensor(out);
}

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void sines(GM_ADDR x, GM_ADDR y) { Wave<float, false, false, 0>(x, y); }  //~ VERDICT sines.bounds: proved-if y is

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void sines_in_parts(GM_ADDR x, GM_ADDR y) { Wave<float, false, false, 640>(x, y); }

// a2lint: launch(block_dim=1, x=float[128], y=float[128])
extern "C" __global__ __aicore__ void cosines_over_source(GM_ADDR x, GM_ADDR y) { Wave<float, true, true, 1024>(x, y); }

// a2lint: launch(block_dim=1, x=half[128], y=half[128])
extern "C" __global__ __aicore__ void cosines_of_half(GM_ADDR x, GM_ADDR y) { Wave<half, true, false, 0>(x, y); }  //~ VERDICT cosines_of_half.bounds: proved-if y is
