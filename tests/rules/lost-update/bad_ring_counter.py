"""The counter of two rings: what never advances is one mistake."""
from easyasc.a2 import *


@kernel(mode="vec")
def rings(x: GMTensor, y: GMTensor, M: Var):
    ub = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum()):
            row = Var(tile * 64)
            ub[count] <<= x[row:row + 64, 0:64]  #~ WARNING race: counts one token
            exp(out[count], ub[count])  #~ WARNING race: counts one token
            y[row:row + 64, 0:64] <<= out[count]
            count = count + 1  #~ ERROR lost-update
    return y
