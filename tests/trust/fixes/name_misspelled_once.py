# Written once beside a name that is used: a misspelling, whose repair only the author can confirm
from easyasc.a2 import *


# a2lint: launch(M=100, x=half[100, 64], y=half[100, 64])
@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor, M: Var):
    part = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            valid = Min(64, M - row)
            part[0:valid, 0:64] <<= x[row:row + valid, 0:64]
            y[row:row + valid, 0:64] <<= prt[0:valid, 0:64]  #~ ERROR unknown-name: `prt` is not defined
    return y
