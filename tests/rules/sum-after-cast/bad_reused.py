#~ pedantic
"""The half tensor held something else before."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_reused(x: GMTensor, w: GMTensor, y: GMTensor):
    p = Tensor(DT.float, [64, 128], Position.UB)
    p_half = Tensor(DT.half, [64, 128], Position.UB)
    total = Tensor(DT.half, [1, 128], Position.UB)
    with auto_sync():
        p <<= x[0:64, 0:128]
        p_half <<= w[0:64, 0:128]
        cast(p, p_half)
        cast(p_half, p)
        dup(total, 0.0)
        cadd(total, p_half)  #~ WARNING sum-after-cast
        y[0:64] <<= total[0:1, 0:64]
    return y
