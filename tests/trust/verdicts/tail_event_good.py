# The near miss: the event is set for every tile, the tail included
from easyasc.a2 import *


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
        m = Min(64, M - r)
        stored.wait()
        tile[0:m, 0:64] <<= x[r:r + m, 0:64]
        loaded.set()
        loaded.wait()
        y[r:r + m, 0:64] <<= tile[0:m, 0:64]
        stored.set()
    return y
