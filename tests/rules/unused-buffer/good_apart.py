"""A tensor that nobody uses keeps two others in different banks; its name says so."""
from easyasc.a2 import *


# a2lint: launch(x=float[40, 4096], y=float[40, 4096])
@kernel(mode="vec")
def doubled(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 4096], Position.UB)
    _apart = Tensor(DT.float, [1, 64], Position.UB)
    b = Tensor(DT.float, [1, 4096], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        a <<= x[lane:lane + 1, 0:4096]
        b <<= x[lane:lane + 1, 0:4096]
        add(b, a, b)
        y[lane:lane + 1, 0:4096] <<= b
    return y
