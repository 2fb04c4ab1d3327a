# A cast of rows that are one block wide reads the first row again and again, with or without count=.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def widen(x: GM[f16, (64, 16)], y: GM[f32, (64, 16)]):
    short = Tensor(f16, [64, 16], Position.UB)
    wide = Tensor(f32, [64, 16], Position.UB)
    with auto_sync():
        short <<= x
        cast(wide, short)  #~ ERROR narrow-cast: block stride 0
        y <<= wide
    return y


@kernel(mode="vec", block_dim=1)
def counted(x: GM[f16, (64, 16)], y: GM[f32, (64, 16)]):
    short = Tensor(f16, [64, 16], Position.UB)
    wide = Tensor(f32, [64, 16], Position.UB)
    with auto_sync():
        short <<= x
        cast(wide, short, count=1024)  #~ ERROR narrow-cast: block stride 0
        y <<= wide
    return y


@kernel(mode="vec", block_dim=1)
def given(x: GM[f16, (64, 16)], y: GM[f32, (64, 16)]):
    short = Tensor(f16, [64, 16], Position.UB)
    wide = Tensor(f32, [64, 16], Position.UB)
    with auto_sync():
        short <<= x
        cast(wide, short, repeat=16, dst_blk_stride=1, src_blk_stride=1, dst_rep_stride=8, src_rep_stride=4)
        y <<= wide
    return y


@kernel(mode="vec", block_dim=1)
def wide_rows(x: GM[f16, (16, 64)], y: GM[f32, (16, 64)]):
    short = Tensor(f16, [16, 64], Position.UB)
    wide = Tensor(f32, [16, 64], Position.UB)
    with auto_sync():
        short <<= x
        cast(wide, short)
        y <<= wide
    return y
