"""128 repeats for 64 rows."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_sub(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    n = Tensor(DT.float, [64, 8], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        dup(s, 1.0)
        brcb(n, s, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        sub(t, t, n)  #~ ERROR wide-narrow: rows of `t` [64,128] are not repeats: 128 repeats for 64 rows
        y[0:64, 0:128] <<= t
    return y
