"""A row of 128 half columns is a repeat."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_half(x: GMTensor, y: GMTensor):
    t = Tensor(DT.half, [64, 128], Position.UB)
    n = Tensor(DT.half, [64, 16], Position.UB)
    s = Tensor(DT.half, [1, 128], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        dup(s, 1.0)
        brcb(n, s, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        sub(t, t, n)
        y[0:64, 0:128] <<= t
    return y
