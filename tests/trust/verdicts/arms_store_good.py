# Each way through a branch stores the same part of the output: together they store all of it.
from easyasc.a2 import *


@kernel()
def either(x: GMTensor, y: GMTensor, M: Var, flag: Var):  #~ VERDICT either.ownership: holds y is at most [M, 64]
    ub = DBuff(DT.float, [1, 64], Position.UB)
    out = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]
            if flag == 1:
                exp(out[c], ub[c])
                y[b:b + 1, 0:64] <<= out[c]
            else:
                muls(out[c], ub[c], 2.0)
                y[b:b + 1, 0:64] <<= out[c]
            c += 1
    return y


@kernel()
def one_of_four(x: GMTensor, y: GMTensor, M: Var, flag: Var):  #~ VERDICT one_of_four.ownership: holds y is at most [M, 64]
    ub = DBuff(DT.float, [32, 64], Position.UB)
    out = DBuff(DT.float, [32, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 32), GetVecNum()):
            v = Min(32, M - t * 32)
            ub[c][0:v, 0:64] <<= x[t * 32:t * 32 + v, 0:64]
            if flag == 1:
                exp(out[c], ub[c])
                y[t * 32:t * 32 + v, 0:64] <<= out[c][0:v, 0:64]
            elif flag == 2:
                abs(out[c], ub[c])
                y[t * 32:t * 32 + v, 0:64] <<= out[c][0:v, 0:64]
            else:
                if flag > 5:
                    muls(out[c], ub[c], 2.0)
                    y[t * 32:t * 32 + v, 0:64] <<= out[c][0:v, 0:64]
                else:
                    muls(out[c], ub[c], 3.0)
                    y[t * 32:t * 32 + v, 0:64] <<= out[c][0:v, 0:64]
            c += 1
    return y
