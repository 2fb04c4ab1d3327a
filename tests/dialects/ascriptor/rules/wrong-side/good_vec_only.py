"""Loads, vector instructions and stores in a kernel of vec cores."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scaled(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x
        muls(ub, ub, 2.0)
        y[0:64, 0:64] <<= ub
    return y
