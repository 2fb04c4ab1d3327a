"""relu() is for floats here."""
from ascriptor.a2 import *


@kernel(mode="vec")
def positive(x: GM[i32, (64, 64)], y: GM[i32, (64, 64)]):
    ub = Tensor(i32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x
        relu(ub, ub)  #~ ERROR op-dtype: relu
        y[0:64, 0:64] <<= ub
    return y
