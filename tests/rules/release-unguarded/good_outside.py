"""Set and wait stand outside of the branch together."""
from easyasc.a2 import *

@kernel(mode="vec")
def outside(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    tile = GetVecIdx()
    if tile < N:
        ub <<= x[tile * 64:tile * 64 + 64, 0:64]
    loaded.set()
    loaded.wait()
    if tile < N:
        y[tile * 64:tile * 64 + 64, 0:64] <<= ub
    return y
