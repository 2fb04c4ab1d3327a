"""Float workspace loaded as half."""
from easyasc.a2 import *


@kernel(mode="vec")
def tile(x: GMTensor, y: GMTensor, M: Var):
    zero = Tensor(DT.float, [64, 64], Position.UB)
    f = Tensor(DT.float, [64, 64], Position.UB)
    g = Tensor(DT.float, [64, 64], Position.UB)
    h = Tensor(DT.half, [64, 64], Position.UB)
    b = Tensor(DT.bfloat16, [64, 64], Position.UB)
    i = Tensor(DT.int, [64, 64], Position.UB)
    s = Tensor(DT.int16, [64, 64], Position.UB)
    u = Tensor(DT.uint8, [64, 64], Position.UB)
    ws_f = split_workspace(DT.float, [GetVecNum(), 64, 64])
    ws_h = split_workspace(DT.half, [GetVecNum(), 64, 64])

    with auto_sync():
        dup(zero, 0.0)
        f <<= x[0:64, 0:64]
        h <<= x[64:128, 0:64]
        b <<= x[128:192, 0:64]
        i <<= x[192:256, 0:64]
        s <<= x[256:320, 0:64]
        u <<= x[320:384, 0:64]
        ws_f[GetVecIdx(), 0:64, 0:64] <<= f
        h <<= ws_f[GetVecIdx(), 0:64, 0:64]  #~ ERROR move-dtype: gm_to_ub_pad() moves bytes: `h` is half
        y[0:64, 0:64] <<= f

    return y
