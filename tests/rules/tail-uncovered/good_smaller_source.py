"""The rest of the destination is not used."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_smaller_source(x: GMTensor, y: GMTensor):
    h = Tensor(DT.float, [32, 64], Position.UB)
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        h <<= x[0:32, 0:64]
        exp(u, h)
        y[0:32, 0:64] <<= u[0:32, 0:64]
    return y
