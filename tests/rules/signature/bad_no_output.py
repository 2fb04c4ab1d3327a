"""Nothing is returned."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, factor: Var):  #~ ERROR signature: `scale` returns nothing, and stores to `y`: only returned tensors are outputs
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, factor)
        y[0:64, 0:64] <<= ub
