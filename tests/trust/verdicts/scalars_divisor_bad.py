# Near misses of flags: a divisor has to be at least 1, and a number of rows that is multiplied grows with its factor.
from easyasc.a2 import *


@kernel()
def divides(x: GMTensor, y: GMTensor, M: Var, heads: Var):
    #~ VERDICT divides.scalars: proved-if heads >= 1
    ub = DBuff(DT.float, [1, 64], Position.UB)
    out = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]
            if b // heads > 3:
                exp(out[c], ub[c])
            else:
                abs(out[c], ub[c])
            y[b:b + 1, 0:64] <<= out[c]
            c += 1
    return y


@kernel()
def grows_in_a_branch(x: GMTensor, y: GMTensor, B: Var, scale: Var):
    #~ VERDICT grows_in_a_branch.scalars: proved-if B * scale + 1 <= 2147483647
    ub = DBuff(DT.float, [1, 64], Position.UB)
    out = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), B, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]
            exp(out[c], ub[c])
            if scale > 0:
                for s in range(B * scale):
                    abs(out[c], out[c])
            y[b:b + 1, 0:64] <<= out[c]
            c += 1
    return y
