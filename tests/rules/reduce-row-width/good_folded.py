"""Halves are combined first."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_folded(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    f = Tensor(DT.float, [64, 64], Position.UB)
    s = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        vmax(f, t[:, 0:64], t[:, 64:128])
        cmax(s, f)
        y[0:1, 0:64] <<= s
    return y
