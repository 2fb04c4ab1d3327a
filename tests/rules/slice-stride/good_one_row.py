"""One row is contiguous."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_one_row(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        exp(t[3:4, 0:32], t[3:4, 0:32])
        y[0:1, 0:32] <<= t[3:4, 0:32]
    return y
