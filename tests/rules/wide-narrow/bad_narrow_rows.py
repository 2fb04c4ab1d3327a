"""Two rows of 32 columns share a repeat."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_narrow_rows(x: GMTensor, y: GMTensor):
    q = Tensor(DT.float, [64, 32], Position.UB)
    n = Tensor(DT.float, [64, 8], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        q <<= x[0:64, 0:32]
        dup(s, 1.0)
        brcb(n, s, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        mul(q, q, n)  #~ ERROR wide-narrow: 32 repeats for 64 rows
        y[0:64, 0:32] <<= q
    return y
