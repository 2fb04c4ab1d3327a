"""Each trip sets, the wait stands behind the loop; no launch is known."""
from easyasc.a2 import *

@kernel(mode="vec")
def each_trip(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    for i in range(0, N):
        ub <<= x[i * 64:i * 64 + 64, 0:64]  #~ WARNING race
        loaded.set()  #~ WARNING event-unbalanced: is set more often than it is waited for in each iteration of the loop
    loaded.wait()
    exp(ub, ub)
    bar_all()
    y[0:64, 0:64] <<= ub
    return y
