"""Room for all partial results."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_two_stages(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    s = Tensor(DT.float, [1, 128], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        cadd(s, t)
        y[0:1, 0:128] <<= s
    return y
