"""A kernel as a helper."""
from ascriptor.a2 import *


@kernel(mode="vec")
def doubled(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x
        muls(u, u, 2.0)
        y <<= u
    return y


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    doubled(x, y)  #~ ERROR nested-kernel: `doubled` is a kernel
    return y
