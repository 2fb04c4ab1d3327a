"""Windows on block borders."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_blocks(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.half, [64, 256], Position.UB)
    out = Tensor(DT.half, [64, 128], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:256]
        for r in range(Min(M, 64)):
            muls(out[r:r + 1, 0:128], ub[r:r + 1, 16:144], 2.0)
        y[0:64, 0:128] <<= out
    return y
