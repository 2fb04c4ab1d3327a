"""The wider type decides: 64 lanes, not 128."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_cast_lanes(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    h = Tensor(DT.half, [64, 64], Position.UB)
    lanes = Max(N, 65)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cast(h, u, count_per_rep=lanes)  #~ ERROR count-modes: is to use 65 lanes
        y[0:64, 0:64] <<= h
    return y
