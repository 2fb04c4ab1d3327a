"""256 repeats are printed as 0."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scale(x: GM[f32, (128, 128)], y: GM[f32, (128, 128)]):
    ub = Tensor(f32, [128, 128], Position.UB)
    with auto_sync():
        ub <<= x
        muls(ub, ub, 2.0)  #~ ERROR repeat-range: 256
        y[0:128, 0:128] <<= ub
    return y
