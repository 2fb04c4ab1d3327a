"""Arguments of the wrong kind and number."""
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
        exp(f)  #~ ERROR trace-error: TypeError: exp() is missing its argument `src`
        add(f, f, 1.0)  #~ ERROR trace-error: TypeError: add() wants a Tensor for `src2`
        exp(f, f, repeats=4)  #~ ERROR trace-error: TypeError: exp() got an unexpected keyword argument `repeats`
        cast(f, h, round_mode="NONE")  #~ ERROR trace-error: TypeError
        cast(f, h, dst_rep_stride=8)  #~ ERROR trace-error: ValueError: cast() takes both repeat strides or none
        y[0:64, 0:64] <<= f

    return y
