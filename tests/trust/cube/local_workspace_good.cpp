// The buffer is what the Matmul object works with: it is used, although no instruction of the file touches it.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"
using namespace AscendC;
using namespace matmul;

typedef MatmulType<TPosition::GM, CubeFormat::ND, half> Operand;
typedef MatmulType<TPosition::GM, CubeFormat::ND, float> Result;

extern "C" __global__ __aicore__ void multiply(GM_ADDR left, GM_ADDR right, GM_ADDR sums, GM_ADDR workspace,
                                               GM_ADDR tiling)
{
    GET_TILING_DATA_WITH_STRUCT(TCubeTiling, cube, tiling);
    TPipe pipe;
    Matmul<Operand, Operand, Result> product;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &cube);
    GlobalTensor<half> l, r;
    GlobalTensor<float> s;
    l.SetGlobalBuffer((__gm__ half*)left);
    r.SetGlobalBuffer((__gm__ half*)right);
    s.SetGlobalBuffer((__gm__ float*)sums);
    TBuf<> scratch;
    pipe.InitBuffer(scratch, 16 * 1024);
    product.SetLocalWorkspace(scratch.Get<uint8_t>());
    product.SetTensorA(l);
    product.SetTensorB(r);
    product.IterateAll(s);
    product.End();
}
