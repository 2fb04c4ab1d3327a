"""Finite sentinels in both types."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_finite(x: GMTensor, h: GMTensor, y: GMTensor, z: GMTensor):
    top = Tensor(DT.float, [64, 64], Position.UB)
    low = Tensor(DT.half, [64, 128], Position.UB)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    uh = Tensor(DT.half, [64, 128], Position.UB)
    with auto_sync():
        dup(top, -1.0e30)
        dup(low, -65504.0)
        ub <<= x[0:64, 0:64]
        uh <<= h[0:64, 0:128]
        vmax(top, top, ub)
        vmax(low, low, uh)
        y[0:64, 0:64] <<= top
        z[0:64, 0:128] <<= low
    return y, z
