# parameters are returned by name, as a tuple, or as a list.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def one(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x
        y <<= u
    return y


@kernel(mode="vec", block_dim=1)
def several(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], z: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x
        y <<= u
        z <<= u
    return [y, z]
