"""Rows longer than those of the tensor, as many as are left: no launch says how many, every guess has several."""
from easyasc.a2 import *


@kernel(mode="vec")
def wide_rows_of_some(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 128], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            rows = Min(64, M - row)
            ub[0:rows, 0:128] <<= x[row:row + rows, 0:136]  #~ WARNING repeat-range: rows of 544 bytes are 512 bytes apart
            y[row:row + rows, 0:128] <<= ub[0:rows, 0:128]
    return y
