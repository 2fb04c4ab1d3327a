"""Scalars are expanded over themselves."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_brcb(x: GMTensor, y: GMTensor):
    s = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        s <<= x[0:1, 0:64]
        brcb(s, s, dst_blk_stride=1, dst_rep_stride=8, repeat=1)  #~ ERROR partial-overlap: brcb() cannot work in place
        y[0:1, 0:64] <<= s
    return y
