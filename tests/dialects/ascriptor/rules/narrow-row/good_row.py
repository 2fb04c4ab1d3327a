#~ pedantic
"""Row scalars as a row."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    top = Tensor(f32, [1, 64], Position.UB)
    wide = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        u <<= x
        cmax(top, u)
        brcb(wide, top, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        sub(u, u, wide)
        y <<= u
    return y
