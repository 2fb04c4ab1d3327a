"""A repeat of floats has 64 lanes."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_lanes(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        exp(u, u, count_per_rep=512)  #~ ERROR count-modes: is to use 512 lanes of each repeat, which has 64 lanes
        y[0:64, 0:64] <<= u
    return y
