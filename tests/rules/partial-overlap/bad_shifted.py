"""Shifted by a block."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_shifted(x: GMTensor, y: GMTensor):
    v = Tensor(DT.float, [1, 256], Position.UB)
    with auto_sync():
        v <<= x[0:1, 0:256]
        adds(v[0:1, 8:136], v[0:1, 0:128], 1.0)  #~ ERROR partial-overlap: writes 120 elements of `v[0:1, 8:136]` [1,128] that it also reads
        y[0:1, 0:256] <<= v
    return y
