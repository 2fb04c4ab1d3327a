"""A contract of whole tiles."""
from easyasc.a2 import *


# a2lint: assume(M >= 1, M % 64 == 0)
# a2lint: shapes(x=half[M, 128], y=half[M, 128])
@kernel()
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.half, [64, 128], Position.UB)
    s = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile[s] <<= x[r:r + 64, 0:128]
            y[r:r + 64, 0:128] <<= tile[s]
            s += 1
    return y
