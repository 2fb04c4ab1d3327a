"""The maxima are applied as they are."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_direct(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cmax(s, u)
        sub(u, u, s)  #~ ERROR scalars-unbroadcast: takes `src2` `s` [64,1] as values of whole rows
        y[0:64, 0:64] <<= u
    return y
