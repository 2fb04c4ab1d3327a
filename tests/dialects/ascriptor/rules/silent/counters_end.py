"""A name that counted one loop means something else in the next; transpositions by their own names."""
from ascriptor.a2 import *


@kernel(mode="vec")
def transposed(x: GM[f16, ("M", 16)], y: GM[f16, (16, "M")]):
    tile = DBuff(f16, [64, 16], Position.UB)
    turned = DBuff(f16, [16, 64], Position.UB)
    with auto_sync():
        for block in range(2):
            dup(tile[block], 0.0)
        for unit in range(GetVecIdx(), M // 64, GetVecNum()):
            block = unit * 64
            tile[unit] <<= x[block:block + 64, 0:16]
            transdata5hd(turned[unit], tile[unit], repeat=4, src_row_stride=16, dst_row_stride=64,
                         src_rep_stride=16, dst_rep_stride=1)
            y[0:16, block:block + 64] <<= turned[unit]
    return y
