# `count` fills lanes side by side: with a stride of two the compiler refuses it.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def fill(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        dup(u, 1.0, count=256, dst_blk_stride=2)  #~ ERROR trace-error: with `count` fills lanes
        y <<= u
    return y
