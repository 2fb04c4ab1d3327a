"""A cast between tensors of one block per row."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_cast(x: GMTensor, y: GMTensor):
    n = Tensor(DT.float, [64, 8], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    h = Tensor(DT.int, [64, 8], Position.UB)
    with auto_sync():
        dup(s, 1.0)
        brcb(n, s, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        cast(h, n)  #~ ERROR narrow-destination: of its `dst`
        y[0:64, 0:8] <<= h
    return y
