"""Half as many results as elements."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_pairs(x: GMTensor, y: GMTensor):
    s = Tensor(DT.float, [16, 64], Position.UB)
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cpadd(s, u)  #~ ERROR reduce-overrun: writes 2048 results
        y[0:64, 0:64] <<= u  #~ ERROR race: nothing orders MTE2→MTE3
    return y
