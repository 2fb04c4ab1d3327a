# A cast of rows that are one block wide reads the first row again and again; simulators give the right values.
from easyasc.a2 import *


@kernel(mode="vec")
def widen(x: GMTensor, y: GMTensor):
    short = Tensor(DT.half, [64, 16], Position.UB)
    wide = Tensor(DT.float, [64, 16], Position.UB)
    with auto_sync():
        short <<= x[0:64, 0:16]
        cast(wide, short)  #~ WARNING narrow-destination: reaches 256 of 1024 elements of its `src`
        y[0:64, 0:16] <<= wide
    return y


@kernel(mode="vec")
def widen_a_window(x: GMTensor, y: GMTensor):
    short = Tensor(DT.half, [64, 64], Position.UB)
    wide = Tensor(DT.float, [64, 16], Position.UB)
    with auto_sync():
        short <<= x[0:64, 0:64]
        cast(wide, short[0:64, 16:32])  #~ WARNING narrow-destination: reaches 256 of 1024 elements of its `src`
        y[0:64, 0:16] <<= wide
    return y


@kernel(mode="vec")
def given(x: GMTensor, y: GMTensor):
    short = Tensor(DT.half, [64, 16], Position.UB)
    wide = Tensor(DT.float, [64, 16], Position.UB)
    with auto_sync():
        short <<= x[0:64, 0:16]
        cast(wide, short, repeat=16, dst_blk_stride=1, src_blk_stride=1, dst_rep_stride=8, src_rep_stride=4)
        y[0:64, 0:16] <<= wide
    return y


@kernel(mode="vec")
def row_by_row(x: GMTensor, y: GMTensor):
    short = Tensor(DT.half, [16, 16], Position.UB)
    wide = Tensor(DT.float, [16, 16], Position.UB)
    with auto_sync():
        short <<= x[0:16, 0:16]
        for r in range(0, 16):
            cast(wide[r:r + 1, 0:16], short[r:r + 1, 0:16], count=16)
        y[0:16, 0:16] <<= wide
    return y
