"""Whichever row it is: its window starts off the grid."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_any_row(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.half, [64, 256], Position.UB)
    out = Tensor(DT.half, [64, 128], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:256]
        for r in range(Min(M, 64)):
            muls(out[r:r + 1, 0:128], ub[r:r + 1, 8:136], 2.0)  #~ ERROR operand-alignment: starts 16 bytes past a 32-byte border
        y[0:64, 0:128] <<= out
    return y
