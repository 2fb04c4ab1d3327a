#~ pedantic
"""On one of the paths there is something to wait for."""
from easyasc.a2 import *

@kernel(mode="vec")
def branch(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    ub <<= x[0:64, 0:64]
    bar_all()
    if N > 3:
        exp(ub, ub)
    bar_v()
    exp(ub, ub)
    bar_all()
    y[0:64, 0:64] <<= ub
    return y
