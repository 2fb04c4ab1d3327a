"""A lane whose share of a tail tile is empty."""
from easyasc.a2 import *


@kernel(mode="vec")
def empty_share(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    sb = GetSubBlockIdx()
    with auto_sync():
        for r in range(0, M, 64):
            row = Min(r + sb * 32, M)
            rows = Min(32, M - row)
            ub[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            abs(out, ub)
            y[row:row + rows, 0:64] <<= out[0:rows, 0:64]
    return y
