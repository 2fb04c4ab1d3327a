"""The block stride is given."""
from ascriptor.a2 import *


@kernel(mode="vec")
def narrow(x: GM[f16, (64, 16)], y: GM[f32, (64, 16)]):
    half = Tensor(f16, [64, 16], Position.UB)
    wide = Tensor(f32, [64, 16], Position.UB)
    with auto_sync():
        half <<= x
        cast(wide, half, dst_blk_stride=1, src_blk_stride=1)
        y[0:64, 0:16] <<= wide
    return y
