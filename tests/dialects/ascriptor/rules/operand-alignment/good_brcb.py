"""The row values start on a block."""
from ascriptor.a2 import *


@kernel(mode="vec")
def spread(x: GM[f32, (1, 72)], y: GM[f32, (64, 8)]):
    row = Tensor(f32, [1, 72], Position.UB)
    wide = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        row <<= x
        brcb(wide, row[:, 8:72], dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        y[0:64, 0:8] <<= wide
    return y
