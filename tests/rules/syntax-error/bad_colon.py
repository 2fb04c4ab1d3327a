"""Heads without their colon."""
from easyasc.a2 import *


@kernel(mode="vec")
def colon(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync()  #~ ERROR syntax-error: a `:` is missing
        a <<= x[0:64, 0:64]
        exp(a, a)
        y[0:64, 0:64] <<= a
    return y


@kernel(mode="vec")
def loop(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for m in range(0, M, 64)  #~ ERROR syntax-error: a `:` is missing
            a <<= x[m:m + 64, 0:64]
            exp(a, a)
            y[m:m + 64, 0:64] <<= a
    return y
