# A contract that lets a flag be 0, and sizes be large, asks for nothing that the kernel does not do
from easyasc.a2 import *


# a2lint: assume(M >= 1, 0 <= flag <= 1)
# a2lint: shapes(x=float[M, 64], y=float[M, 64])
@kernel(mode="vec")
def scaled(x: GMTensor, y: GMTensor, M: Var, flag: Var):
    u = DBuff(DT.float, [1, 64], Position.UB)
    v = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            u[n] <<= x[r:r + 1, 0:64]
            if flag == 1:
                muls(v[n], u[n], 2.0)
            else:
                muls(v[n], u[n], 3.0)
            y[r:r + 1, 0:64] <<= v[n]
            n += 1
    return y


# a2lint: assume(B >= 1, M >= 1)
# a2lint: shapes(x=float[B, M, 64], y=float[B, M, 64])
@kernel(mode="vec")
def batches(x: GMTensor, y: GMTensor, B: Var, M: Var):
    u = DBuff(DT.float, [1, 64], Position.UB)
    v = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for b in range(0, B):
            for r in range(GetVecIdx(), M, GetVecNum()):
                u[n] <<= x[b, r:r + 1, 0:64]
                exp(v[n], u[n])
                y[b, r:r + 1, 0:64] <<= v[n]
                n += 1
    return y
