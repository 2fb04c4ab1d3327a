"""The same with operators, and as a difference."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_operators(x: GMTensor, y: GMTensor):
    acc = Tensor(DT.float, [64, 64], Position.UB)
    low = Tensor(DT.float, [64, 64], Position.UB)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        acc <<= acc * 0.0  #~ ERROR zero-by-multiply: muls() does not clear `acc`
        low <<= low - low  #~ ERROR zero-by-multiply: sub() does not clear `low`
        ub <<= x[0:64, 0:64]
        add(acc, acc, ub)
        vmax(acc, acc, low)
        y[0:64, 0:64] <<= acc
    return y
