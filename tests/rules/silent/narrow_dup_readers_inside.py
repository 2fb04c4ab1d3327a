"""A fill of 64 lanes, and readers that stay inside of them."""
from easyasc.a2 import *


@kernel(mode="vec")
def narrow_dup_readers_inside(x: GMTensor, y: GMTensor):
    a8 = Tensor(DT.float, [64, 8], Position.UB)
    b8 = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        dup(a8, 1.0)
        adds(b8, a8, 1.0)
        muls(b8, b8, 2.0)
        y[0:8, 0:8] <<= b8[0:8, 0:8]
    return y
