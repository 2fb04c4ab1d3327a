#~ pedantic
"""Sums of blocks, of rounded values."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_group_sum(x: GMTensor, y: GMTensor):
    p = Tensor(DT.float, [64, 64], Position.UB)
    h = Tensor(DT.half, [64, 64], Position.UB)
    sums = Tensor(DT.half, [1, 256], Position.UB)
    with auto_sync():
        p <<= x[0:64, 0:64]
        cast(h, p, round_mode=RoundMode.TO_EVEN)
        cgadd(sums, h)  #~ WARNING sum-after-cast
        y[0:1, 0:256] <<= sums
    return y
