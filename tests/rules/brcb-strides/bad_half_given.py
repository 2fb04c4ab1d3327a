"""The block stride alone is given."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_half_given(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    n = Tensor(DT.float, [64, 8], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cmax(s, u)
        brcb(n, s, dst_blk_stride=1, repeat=8)  #~ ERROR brcb-strides
        sub(u, u, n)
        y[0:64, 0:64] <<= u
    return y
