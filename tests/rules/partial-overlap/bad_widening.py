"""A cast to a wider type in place."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_widening(x: GMTensor, y: GMTensor):
    h = Tensor(DT.half, [1, 256], Position.UB)
    with auto_sync():
        h <<= x[0:1, 0:256]
        cast(h.reinterpret(DT.float), h[0:1, 0:128])  #~ ERROR partial-overlap
        y[0:1, 0:256] <<= h
    return y
