"""A buffer has the name of an A5 instruction, and its line does not parse: the kernel does not use that."""
from easyasc.a2 import *


@kernel(mode="vec")
def negative(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.float, [64, 64], Position.UB)
    neg = Tensor DT.float, [64, 64], Position.UB)  #~ ERROR syntax-error: `)` closes nothing
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - m)
            a[0:rows, 0:64] <<= x[m:m + rows, 0:64]
            dup(neg, -1.0)
            mul(neg, a, neg)
            y[m:m + rows, 0:64] <<= neg[0:rows, 0:64]
    return y
