# The root of a parameter asks for a float: proved for such launches, and not for every launch
from easyasc.a2 import *


@kernel()
def scaled(x: GMTensor, y: GMTensor, R: Var, D: Var):
    #~ VERDICT operands: proved-if D: float
    a = DBuff(DT.float, [1, 64], Position.UB)
    b = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    root = scalar_sqrt(D)
    with auto_sync():
        for r in range(GetVecIdx(), R, GetVecNum()):
            a[n] <<= x[r:r + 1, 0:64]
            muls(b[n], a[n], root)
            y[r:r + 1, 0:64] <<= b[n]
            n += 1
    return y
