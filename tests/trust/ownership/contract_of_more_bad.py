# The contract says how large `y` is: stores reach half of it, or all of it.
from easyasc.a2 import *


# a2lint: assume(M >= 1)
# a2lint: shapes(x=float[M, 64], y=float[M, 128])
@kernel()
def half(x: GMTensor, y: GMTensor, M: Var):
    u = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            u[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= u[n]  #~ WARNING output-hole: `y` [3, 128] are never stored
            n += 1
    return y


# a2lint: assume(M >= 1)
# a2lint: shapes(x=float[M, 64], y=float[M, 64])
@kernel()
def whole(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT whole.ownership: holds
    u = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            u[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= u[n]
            n += 1
    return y
