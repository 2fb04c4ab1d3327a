# A barrier of FIX in a kernel for vec cores alone.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def named(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        y <<= tile
    bar_fix()  #~ ERROR foreign-barrier: waits for FIX, which vec cores do not have
    return y


@kernel(mode="vec", block_dim=1)
def of_its_own(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        y <<= tile
    bar_mte3()
    return y
