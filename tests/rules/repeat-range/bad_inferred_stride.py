"""Rows of a matched slice lie 384 blocks apart."""
from easyasc.a2 import *


ROWS = 64
WIDTH = 64


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.float, [8, 3072], Position.UB)
    ub_y = Tensor(DT.float, [8, 64], Position.UB)
    count = Var(0)

    with auto_sync():
        for r in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
            valid = Min(ROWS, M - r)
            ub_x <<= x[r:r + 8, 0:3072]
            exp(ub_y, ub_x[0:8, 64:128])  #~ ERROR repeat-range: src_rep_stride=384 (inferred)
            y[r:r + 8, 0:64] <<= ub_y
            count += 1

    return y
