# No launch says how large `y` is: what is proved says up to which size all of it is stored.
from easyasc.a2 import *


@kernel()
def copy(x: GMTensor, y: GMTensor, M: Var):  #~ VERDICT ownership: holds y is at most [M, 64]
    u = DBuff(DT.float, [32, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            v = Min(32, M - t * 32)
            u[n][0:v, 0:64] <<= x[t * 32:t * 32 + v, 0:64]
            y[t * 32:t * 32 + v, 0:64] <<= u[n][0:v, 0:64]
            n += 1
    return y
