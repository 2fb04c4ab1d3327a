# The author meant `<<=` and wrote `=`: the finding is at that line, not where Python would notice it.
from easyasc.a2 import *


@kernel(mode="vec")
def rebound(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        b = a + 1.0  #~ ERROR trace-error: vector expressions are stored in UB, not in GM (line 12): `=` only names `b`
        y[0:64, 0:64] <<= b
    return y


@kernel(mode="vec")
def unnamed(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= a + 1.0  #~ ERROR trace-error: vector expressions are stored in UB, not in GM
    return y


# Naming an expression first and storing it in UB is fine.
@kernel(mode="vec")
def named(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[GetVecIdx() * 64:GetVecIdx() * 64 + 64, 0:64]
        total = a + 1.0
        b <<= total
        y[GetVecIdx() * 64:GetVecIdx() * 64 + 64, 0:64] <<= b
    return y
