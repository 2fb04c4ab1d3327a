"""A buffer has the name of an A5 instruction, and its line does not parse."""
from easyasc.a2 import *


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    neg = Tensor DT.float, [64, 64], Position.UB)  #~ ERROR syntax-error: `)` closes nothing
    with auto_sync():
        a <<= x[0:64, 0:64]
        dup(neg, -1.0)
        mul(neg, a, neg)
        y[0:64, 0:64] <<= neg
    return y
