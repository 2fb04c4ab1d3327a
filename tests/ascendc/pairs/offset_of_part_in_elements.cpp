// GetWithOffset takes bytes: with elements the second part lies inside of the first one.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t N = 128;

struct Parts {
    LocalTensor<float> a, b, c;
    __aicore__ inline explicit Parts(TBuf<TPosition::VECCALC>& buf)
    {
        a = buf.GetWithOffset<float>(N, 0);
//+        b = buf.GetWithOffset<float>(N, N);
        b = buf.GetWithOffset<float>(N, N * sizeof(float));//-
        c = buf.GetWithOffset<float>(N, 2 * N * sizeof(float));
    }
};

// a2lint: launch(block_dim=1, x=float[128], y=float[128], z=float[128])
extern "C" __global__ __aicore__ void minimum(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 3 * N * sizeof(float));
    Parts parts(buf);
    GlobalTensor<float> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ float*)x, N);
    gy.SetGlobalBuffer((__gm__ float*)y, N);
    gz.SetGlobalBuffer((__gm__ float*)z, N);
    DataCopy(parts.a, gx, N);
//+    DataCopy(parts.b, gy, N);  //~ order
    DataCopy(parts.b, gy, N);//-
    SetFlag<HardEvent::MTE2_V>(EVENT_ID3);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);
    Min(parts.c, parts.a, parts.b, N);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID3);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID3);
    DataCopy(gz, parts.c, N);
}
