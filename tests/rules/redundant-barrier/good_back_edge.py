#~ pedantic
"""The barrier at the head of the loop is for the trip before."""
from easyasc.a2 import *

@kernel(mode="vec")
def back_edge(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    for i in range(0, N):
        bar_all()
        ub <<= x[i * 64:i * 64 + 64, 0:64]
        bar_all()
        y[i * 64:i * 64 + 64, 0:64] <<= ub
    return y
