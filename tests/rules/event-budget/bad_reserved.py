"""Seven ids: one that the toolchain keeps."""
from easyasc.a2 import *


@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    spare = [TEvent(Pipe.MTE2, Pipe.V) for _ in unroll(2)]
    loaded = SEvent(Pipe.MTE2, Pipe.V)  #~ WARNING event-budget: 3 events from MTE2 to V take 7 ids; 6 are free, the toolchain keeps 2
    stored = SEvent(Pipe.V, Pipe.MTE3)
    ub <<= x[0:64, 0:64]
    loaded.set()
    loaded.wait()
    muls(ub, ub, 2.0)
    stored.set()
    stored.wait()
    y[0:64, 0:64] <<= ub
    return y
