"""The prefix stands in the word of lanes 64 to 127."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_prefix(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        set_mask(0xFFFF, 0)  #~ WARNING mask-arguments-swapped: switches off lanes 0 to 63
        adds(ub, ub, 1.0)
        exp(ub, ub)
        reset_mask()
        y[0:64, 0:64] <<= ub
    return y
