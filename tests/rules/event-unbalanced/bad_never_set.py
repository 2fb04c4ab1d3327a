"""The event is awaited and never set; no launch is known."""
from easyasc.a2 import *

@kernel(mode="vec")
def never_set(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    ub <<= x[0:64, 0:64]
    loaded.wait()  #~ ERROR event-unbalanced: nothing in the kernel sets the event `loaded`
    exp(ub, ub)
    bar_all()
    y[0:64, 0:64] <<= ub
    return y
