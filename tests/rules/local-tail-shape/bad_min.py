"""The last rows, allocated as such."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    valid_m = Min(64, M)
    ub = Tensor(DT.float, [valid_m, 64], Position.UB)  #~ WARNING local-tail-shape: `ub` is sized by a tail: it has Min(64, M) rows, which only a launch decides
    with auto_sync():
        ub <<= x[0:valid_m, 0:64]
        y[0:valid_m, 0:64] <<= ub
    return y
