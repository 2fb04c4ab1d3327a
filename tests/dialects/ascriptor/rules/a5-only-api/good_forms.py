"""The forms of A2: a logarithm to another base is scaled, a sign is a factor."""
from ascriptor.a2 import *


@kernel(mode="vec")
def logs(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x
        ln(ub, ub)
        muls(ub, ub, 1.4426950408889634)
        muls(ub, ub, -1.0)
        y[0:64, 0:64] <<= ub
    return y
