"""Eight repeats fall on eight rows."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_in_place(x: GMTensor, y: GMTensor):
    n = Tensor(DT.float, [64, 8], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        dup(s, 1.0)
        brcb(n, s, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
        muls(n, n, 0.5)  #~ WARNING narrow-destination: reaches 64 of 512 elements of its `dst`
        y[0:64, 0:8] <<= n
    return y
