"""All elements in a row."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_count(x: GMTensor, y: GMTensor):
    n = Tensor(DT.float, [64, 8], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        dup(s, 1.0)
        brcb(n, s, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        muls(n, n, 0.5, count=512)
        y[0:64, 0:8] <<= n
    return y
