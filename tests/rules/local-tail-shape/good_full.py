"""The full tile, clipped in the moves."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    valid_m = Min(64, M)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub[0:valid_m, 0:64] <<= x[0:valid_m, 0:64]
        y[0:valid_m, 0:64] <<= ub[0:valid_m, 0:64]
    return y
