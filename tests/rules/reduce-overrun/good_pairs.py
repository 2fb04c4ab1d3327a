"""Half of the elements."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_pairs(x: GMTensor, y: GMTensor):
    s = Tensor(DT.float, [32, 64], Position.UB)
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        cpadd(s, u)
        y[0:32, 0:64] <<= s
    return y
