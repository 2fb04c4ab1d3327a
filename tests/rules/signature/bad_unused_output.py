"""An output that nobody stores to."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, z: GMTensor, factor: Var):  #~ WARNING signature: `z` is returned, and nothing is stored to it
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, factor)
        y[0:64, 0:64] <<= ub
    return y, z
