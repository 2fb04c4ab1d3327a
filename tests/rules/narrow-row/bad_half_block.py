#~ pedantic
"""Rows of one block and a half."""
from easyasc.a2 import *


@kernel(mode="vec")
def ragged(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.half, [4, 24], Position.UB)  #~ WARNING narrow-row: `ub` [4,24] has rows of 48 bytes; blocks have 32
    with auto_sync():
        ub <<= x[0:4, 0:24]  #~ ERROR operand-overrun
        y[0:4, 0:24] <<= ub  #~ ERROR operand-overrun
    return y
