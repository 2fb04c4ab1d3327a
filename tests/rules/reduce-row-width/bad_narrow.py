"""Two rows share a result."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_narrow(x: GMTensor, y: GMTensor):
    q = Tensor(DT.float, [64, 32], Position.UB)
    s = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        q <<= x[0:64, 0:32]
        cadd(s, q)  #~ ERROR reduce-row-width: 32 for `q` [64,32]
        y[0:1, 0:64] <<= s
    return y
