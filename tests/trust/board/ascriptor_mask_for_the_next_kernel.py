# The mask outlives the kernel on silicon: the next kernel that relies on all lanes computes eight of them.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def leaves_it(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        set_mask(0, 0xFF)  #~ WARNING mask-leak: still in force at the end of the kernel
        muls(tile, tile, 2.0)
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def resets_it(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        set_mask(0, 0xFF)
        muls(tile, tile, 2.0)
        reset_mask()
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def counts(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        muls(tile, tile, 2.0, count_per_rep=8)
        y <<= tile
    return y
