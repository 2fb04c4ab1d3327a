//+// The cube overwrites sums that may not have been loaded yet: the former tile is only queued.
// The next product is asked for when the sums of the former one have been loaded.//-
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;

constexpr uint32_t ROWS = 32, N = 64, K = 48;

using Left = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Sums = MatmulType<TPosition::GM, CubeFormat::ND, float>;
//+
//+__aicore__ inline void Store(TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> &buffer, const GlobalTensor<float> &y)
//+{
//+    LocalTensor<float> x = buffer.DeQue<float>();
//+    DataCopy(y, x, ROWS * N);
//+    buffer.FreeTensor(x);
//+}

// a2lint: launch(block_dim=1, a=half[128, 48], b=half[48, 64], y=float[128, 64], sums=float[4096], tiling.M=128, tiling.N=64, tiling.Ka=48, tiling.Kb=48, tiling.singleCoreM=32, tiling.singleCoreN=64, tiling.singleCoreK=48)
__global__ __mix__(1, 2) void copied_product(__gm__ half *a, __gm__ half *b, __gm__ float *y, __gm__ float *sums,
                                             TCubeTiling tiling)
{
    TPipe pipe;
    Matmul<Left, Left, Sums> mm;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &tiling);
    GlobalTensor<half> ga, gb;
    GlobalTensor<float> gy, gs;
    ga.SetGlobalBuffer(a);
    gb.SetGlobalBuffer(b);
    gy.SetGlobalBuffer(y);
    gs.SetGlobalBuffer(sums + GetBlockIdx() * ROWS * N);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> buffer;
    pipe.InitBuffer(buffer, 2, ROWS * N * sizeof(float));
    mm.SetTensorB(gb);
    for (uint32_t row = GetBlockIdx() * ROWS; row < 128; row += 2 * ROWS) {
        mm.SetTensorA(ga[row * K]);
//+        mm.IterateAll(gs);  //~ order
        mm.IterateAll(gs);//-
        LocalTensor<float> x = buffer.AllocTensor<float>();
        DataCopy(x, gs, ROWS * N);
        event_t id = static_cast<event_t>(pipe.FetchEventID(HardEvent::MTE2_S));//-
        SetFlag<HardEvent::MTE2_S>(id);//-
        WaitFlag<HardEvent::MTE2_S>(id);//-
        buffer.EnQue(x);
//+        if (row >= 2 * ROWS) {
//+            Store(buffer, gy[(row - 2 * ROWS) * N]);
//+        }
        x = buffer.DeQue<float>();//-
        DataCopy(gy[row * N], x, ROWS * N);//-
        buffer.FreeTensor(x);//-
    }
//+    Store(buffer, gy[(GetBlockIdx() + 2) * ROWS * N]);
}
