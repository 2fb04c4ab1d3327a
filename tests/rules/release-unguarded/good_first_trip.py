"""In a loop, a branch on the core may tell the first trip from the others."""
from easyasc.a2 import *

@kernel(mode="vec")
def first_trip(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2)
    lane = GetVecIdx()
    for tile in range(lane, N, GetVecNum()):
        if tile > lane:
            stored.wait()
        ub <<= x[tile * 64:tile * 64 + 64, 0:64]
        loaded.set()
        loaded.wait()
        y[tile * 64:tile * 64 + 64, 0:64] <<= ub
        stored.set()
    return y
