# Ascriptor computes by instructions alone: one finding at the expression, none about what is missing because of it.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=2)
def moved(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    t = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        t <<= t * 2.0  #~ ERROR trace-error: E0303: `<<=` moves data and computes nothing
        y[0:64, 0:64] <<= t
    return y


@kernel(mode="vec", block_dim=2)
def named(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    t = Tensor(f32, [64, 64], Position.UB)
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        u = t + 1.0  #~ ERROR trace-error: E0303: `=` only gives a name and computes nothing
        y[0:64, 0:64] <<= u
    return y
