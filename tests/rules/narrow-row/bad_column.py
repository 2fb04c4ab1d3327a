#~ pedantic
"""Row scalars as a column."""
from easyasc.a2 import *


@kernel(mode="vec")
def row_maximum(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    top = Tensor(DT.float, [64, 1], Position.UB)  #~ WARNING narrow-row: `top` [64,1] has rows of 4 bytes; blocks have 32
    with auto_sync():
        ub <<= x[0:64, 0:64]
        cmax(top, ub)
        y[0:1, 0:64] <<= top.reinterpret(DT.float)[0:1, 0:1]
    return y
