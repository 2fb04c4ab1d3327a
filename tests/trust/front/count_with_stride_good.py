# the strides that `count` has anyway may be written down.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def fill(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        dup(u, 1.0, count=512, dst_blk_stride=1, dst_rep_stride=8)
        y <<= u
    return y
