"""The count may be in range."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_symbolic(x: GMTensor, y: GMTensor, N: Var):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        exp(u, u, count_per_rep=Min(N, 64))
        adds(u, u, 1.0, count=N)
        y[0:64, 0:64] <<= u
    return y
