# a cell that every way sets has a value, and so has one that is set before.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def scale(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], M: i32):
    u = Tensor(f32, [8, 64], Position.UB)
    v = Var(dtype=f32)
    with auto_sync():
        u <<= x
        if M > 1:
            v <<= 2.0
        elif M > 0:
            v <<= 3.0
        else:
            v <<= 4.0
        muls(u, u, v)
        y <<= u
    return y


@kernel(mode="vec", block_dim=1)
def before(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], M: i32):
    u = Tensor(f32, [8, 64], Position.UB)
    v = Var(dtype=f32)
    with auto_sync():
        u <<= x
        v <<= 1.0
        if M > 1:
            v <<= 2.0
        muls(u, u, v)
        y <<= u
    return y
