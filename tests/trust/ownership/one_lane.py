# with block_dim=1 one lane stores: what is not shown is about launches that say otherwise.
#~ VERDICT alone.ownership: proved-if block_dim == 1
#~ VERDICT two.ownership: tested
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def alone(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= u
    return y


@kernel(mode="vec", block_dim=2)
def two(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= u
    return y
