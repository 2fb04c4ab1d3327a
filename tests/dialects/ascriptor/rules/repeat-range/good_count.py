"""A count has no such limit, and 255 repeats are the most."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scale(x: GM[f32, (128, 128)], y: GM[f32, (128, 128)]):
    ub = Tensor(f32, [128, 128], Position.UB)
    with auto_sync():
        ub <<= x
        muls(ub, ub, 2.0, count=128 * 128)
        adds(ub, ub, 1.0, repeat=255)
        y[0:128, 0:128] <<= ub
    return y
