"""A choice that Python makes."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    width = 32 if M else 64  #~ ERROR truthy-var: a conditional expression takes the Var `M` as true, whatever it holds
    half = 32 if M > 64 else 64  #~ ERROR truthy-var: a conditional expression needs the truth of `M > 64`, which only the device knows
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, half)
        y[0:64, 0:64] <<= ub
    return y
