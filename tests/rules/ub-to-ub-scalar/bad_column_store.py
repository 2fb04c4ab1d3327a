"""Row results stored into a column, a varying number of rows."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_column_store(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    total = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            valid = Min(64, M - r)
            ub[0:valid, 0:64] <<= x[r:r + valid, 0:64]
            cadd(total, ub)
            y[r:r + valid, 0:1] <<= total[0:valid, 0:1]  #~ WARNING ub-to-ub-scalar: one 32-byte block for every row
    return y
