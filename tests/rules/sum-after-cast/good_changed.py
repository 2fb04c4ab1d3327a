#~ pedantic
"""What is summed is no longer what was converted."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_changed(x: GMTensor, y: GMTensor):
    p = Tensor(DT.float, [64, 128], Position.UB)
    p_half = Tensor(DT.half, [64, 128], Position.UB)
    total = Tensor(DT.half, [1, 128], Position.UB)
    with auto_sync():
        p <<= x[0:64, 0:128]
        cast(p_half, p)
        muls(p_half, p_half, 2.0)
        dup(total, 0.0)
        cadd(total, p_half)
        y[0:64] <<= total[0:1, 0:64]
    return y
