"""Nothing is returned."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scale(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)], factor: f32):  #~ ERROR signature: y
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x
        muls(ub, ub, factor)
        y[0:64, 0:64] <<= ub
