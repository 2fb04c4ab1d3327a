"""A load into the middle of a block."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_load(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        dup(ub, 0.0)
        ub[0:1, 2:10] <<= x[0:1, 0:8]  #~ ERROR operand-alignment: starts 8 bytes past a 32-byte border, and gm_to_ub_pad #~ ERROR race
        y[0:1, 0:64] <<= ub  #~ ERROR race
    return y
