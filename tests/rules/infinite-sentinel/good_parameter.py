"""A sentinel that the launch decides."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_parameter(x: GMTensor, y: GMTensor, low: Var):
    top = Tensor(DT.float, [64, 64], Position.UB)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        dup(top, low)
        ub <<= x[0:64, 0:64]
        vmax(top, top, ub)
        y[0:64, 0:64] <<= top
    return y
