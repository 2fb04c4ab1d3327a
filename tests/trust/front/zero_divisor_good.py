# a float may be divided by 0, and so may what the launch gives, as far as the compiler knows.
from ascriptor.a2 import *


@kernel(mode="vec")
def of_floats(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    scale = Var(2.0)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            scale /= 0.0
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y


@kernel(mode="vec")
def zero_by_two(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            part = 0 // (row + 1)
            u <<= x[row:row + 1, 0:64]
            y[row:row + 1, 0:64] <<= u
    return y
