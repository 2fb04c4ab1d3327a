#~ pedantic
"""Half is all there is."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_half_input(x: GMTensor, y: GMTensor):
    h = Tensor(DT.half, [64, 128], Position.UB)
    total = Tensor(DT.half, [1, 64], Position.UB)
    with auto_sync():
        h <<= x[0:64, 0:128]
        cadd(total, h)
        y[0:1, 0:64] <<= total
    return y
