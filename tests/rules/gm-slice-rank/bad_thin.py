"""A slice of one batch."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for b in range(0, M):
            t <<= x[b:b + 1, 0:64, 0:64]  #~ ERROR gm-slice-rank: `x[b:b + 1, 0:64, 0:64]` slices 3 dimensions; gm_to_ub_pad() moves rows and columns of two
            y[b, 0:64, 0:64] <<= t
    return y
