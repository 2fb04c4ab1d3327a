# a kernel returns its parameters; a tile on the chip does not leave it so.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def tile(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x
        y <<= u
    return u  #~ ERROR trace-error: returns a tensor on the chip


@kernel(mode="vec", block_dim=1)
def part(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x
        y <<= u
    return y[0:4, 0:64]  #~ ERROR trace-error: returns a part of a tensor


@kernel(mode="vec", block_dim=1)
def number(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    n = Var(1)
    with auto_sync():
        u <<= x
        y <<= u
    return y, n  #~ ERROR trace-error: returns a cell
