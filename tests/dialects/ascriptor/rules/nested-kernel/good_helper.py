"""A helper is inlined."""
from ascriptor.a2 import *


@func()
def doubled(u):
    muls(u, u, 2.0)


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x
        doubled(u)
        y <<= u
    return y
