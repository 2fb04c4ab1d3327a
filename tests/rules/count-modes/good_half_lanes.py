"""Half has 128 lanes."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_half_lanes(x: GMTensor, y: GMTensor):
    h = Tensor(DT.half, [64, 128], Position.UB)
    with auto_sync():
        h <<= x[0:64, 0:128]
        exp(h, h, count_per_rep=128)
        y[0:64, 0:128] <<= h
    return y
