"""Eight ids in two directions."""
from easyasc.a2 import *


@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    a = TEvent(Pipe.MTE2, Pipe.V)
    b = QEvent(Pipe.V, Pipe.MTE2)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    stored = SEvent(Pipe.V, Pipe.MTE3)
    ub <<= x[0:64, 0:64]
    loaded.set()
    loaded.wait()
    muls(ub, ub, 2.0)
    stored.set()
    stored.wait()
    y[0:64, 0:64] <<= ub
    return y
