"""Every form of call and subscript that the DSL takes."""
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
        exp(g, f)
        exp(dst=g, src=f, repeat=64)
        add(f[0:8, 0:64], g[0:8, 0:64], f[8:16, 0:64])
        mask = Tensor(DT.uint8, [64, 8], Position.UB)
        compare_scalar(mask, f, 0.0, CompareMode.GT)
        select(g, mask, f, zero)
        select(g, mask, f, zero, 64)
        cast(h, f, round_mode=RoundMode.TO_EVEN)
        cast(h, f, dst_rep_stride=4, src_rep_stride=8)
        y[0:64, 0:64] <<= f

    return y
