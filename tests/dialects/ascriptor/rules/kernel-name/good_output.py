"""An output may have the name of a symbol."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scale(x: GM[f32, ("Y", 64)], y: GM[f32, ("Y", 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, 2.0)
        y[0:64, 0:64] <<= ub
    return y
