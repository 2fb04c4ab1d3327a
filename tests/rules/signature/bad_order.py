"""A tensor behind a scalar."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, factor: Var, y: GMTensor):  #~ ERROR signature: tensor `y` stands after scalar `factor`: a launch passes tensors first
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, factor)
        y[0:64, 0:64] <<= ub
    return y
