"""A star import of another module may bind anything."""
from easyasc.a2 import *
from shared_tiles import *


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [ROWS, 64], Position.UB)
    with auto_sync():
        a <<= x[0:ROWS, 0:64]
        finish(a)
        y[0:ROWS, 0:64] <<= a
    return y
