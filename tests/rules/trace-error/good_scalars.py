"""Numbers, flags and shapes as they have to be; what is not known says nothing."""
from easyasc.a2 import *
from project.config import LIMIT, SHAPE


@kernel()
def scalars(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    tiles = CeilDiv(M, 64)
    most = CeilDiv(LIMIT, 64)
    rows = Align16(Min(M, 60))
    step = Align32(M / 2)
    done = SEvent(Pipe.V, Pipe.MTE3, preset=True)
    ready = DEvent(Pipe.MTE2, Pipe.V, True)
    ws = split_workspace(DT.float, [GetVecNum(), 64, 64])
    other = split_workspace(DT.float, SHAPE)
    with auto_sync():
        t <<= x[0:64, 0:64]
        t <<= t / LIMIT
        t <<= t / M
        t <<= t - 1.0
        t <<= t * -1.0
        y[0:64, 0:64] <<= t

    return y
