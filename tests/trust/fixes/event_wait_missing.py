# A missing wait() belongs before the first consumer
from easyasc.a2 import *


@kernel(mode="vec")
def passed(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    out = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    used = SEvent(Pipe.V, Pipe.MTE2, preset=True)
    done = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.V, preset=True)
    for t in range(GetVecIdx(), N, GetVecNum()):
        used.wait()
        tile <<= x[t * 8:t * 8 + 8, 0:64]
        loaded.set()
        loaded.wait()
        stored.wait()
        muls(out, tile, 2.0)
        used.set()
        done.set()  #~ ERROR event-unbalanced: nothing in the kernel waits for the event
        y[t * 8:t * 8 + 8, 0:64] <<= out
        stored.set()
    return y
