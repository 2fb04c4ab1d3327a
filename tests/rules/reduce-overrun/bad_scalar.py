"""64 maxima into one element."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_scalar(x: GMTensor, y: GMTensor):
    s = Tensor(DT.float, [1, 8], Position.UB)
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cmax(s, u)  #~ ERROR reduce-overrun: writes 64 results
        y[0:64, 0:64] <<= u  #~ ERROR race: nothing orders MTE2→MTE3
    return y
