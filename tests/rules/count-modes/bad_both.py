"""Two ways to count."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_both(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        exp(u, u, count=4096, count_per_rep=64)  #~ ERROR count-modes: takes either `count` or `count_per_rep`
        y[0:64, 0:64] <<= u
    return y
