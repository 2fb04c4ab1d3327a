"""Whichever branch is taken, set and wait match."""
from easyasc.a2 import *

@kernel(mode="vec")
def both_branches(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    if N > 4:
        ub <<= x[0:64, 0:64]
        loaded.set()
    else:
        ub <<= x[64:128, 0:64]
        loaded.set()
    loaded.wait()
    y[0:64, 0:64] <<= ub
    return y
