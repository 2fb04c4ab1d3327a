"""The running maximum starts at minus infinity."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_dup(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        dup(top, float("-inf"))  #~ WARNING infinite-sentinel: dup() takes the sentinel -inf
        ub <<= x[0:64, 0:64]
        vmax(top, top, ub)
        sub(ub, ub, top)
        y[0:64, 0:64] <<= ub
    return y
