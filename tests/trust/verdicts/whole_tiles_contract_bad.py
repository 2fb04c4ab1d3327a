# "Clean" for a contract that allows M = 1, where 64 rows are read of a tensor of one: a proof of nothing
from easyasc.a2 import *


# a2lint: assume(M >= 1)
# a2lint: shapes(x=half[M, 128], y=half[M, 128])
@kernel()
def copy(x: GMTensor, y: GMTensor, M: Var):  #~ WARNING contract-too-wide: the contract also allows M = 1
    #~ VERDICT bounds: undecided x is at least [CeilDiv(M, 64) * 64, 128]
    tile = DBuff(DT.half, [64, 128], Position.UB)
    s = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile[s] <<= x[r:r + 64, 0:128]
            y[r:r + 64, 0:128] <<= tile[s]
            s += 1
    return y
