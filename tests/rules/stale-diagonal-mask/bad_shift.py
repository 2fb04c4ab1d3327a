"""The half is written as a division, in place."""
from easyasc.a2 import *


@func()
def build(mask, columns, first_row):
    for r in range(0, 64):
        compare_scalar(mask[r:r + 1, 0:16], columns, first_row + r, CompareMode.LT)


@kernel(mode="vec")
def causal(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 128], Position.UB)
    out = Tensor(DT.float, [64, 128], Position.UB)
    columns = Tensor(DT.float, [1, 128], Position.UB)
    mask = Tensor(DT.uint8, [64, 16], Position.UB)
    lowest = Tensor(DT.float, [1, 64], Position.UB)
    sb = GetSubBlockIdx()
    columns <<= x[0:1, 0:128]
    bar_all()
    with auto_sync():
        dup(lowest, -1.0e30)
        build(mask, columns, sb * 64)
        for m0 in range(GetCubeIdx() * 128, M, GetCubeNum() * 128):
            valid_m = Min(128, M - m0)
            ub <<= x[m0 + sb * (valid_m // 2):m0 + sb * (valid_m // 2) + 64, 0:128]
            select(out, mask, ub, lowest, SelectMode.TENSOR_SCALAR)  #~ WARNING stale-diagonal-mask
            local = Min(64, valid_m)
            y[m0 + sb * 64:m0 + sb * 64 + local, 0:128] <<= out[0:local, 0:128]
    return y
