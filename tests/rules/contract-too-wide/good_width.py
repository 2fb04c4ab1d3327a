"""The limit is promised."""
from easyasc.a2 import *


# a2lint: assume(R >= 1, 1 <= D <= 64)
@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, R: Var, D: Var):
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), R, GetVecNum()):
            row[n][0:1, 0:D] <<= x[r:r + 1, 0:D]
            y[r:r + 1, 0:D] <<= row[n][0:1, 0:D]
            n += 1
    return y
