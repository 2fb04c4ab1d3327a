# Written twice, and beside a name that is used as well: a second tensor, not a misspelling of the first
from easyasc.a2 import *


# a2lint: launch(M=100, x=half[100, 64], r=half[100, 64], y=half[100, 64])
@kernel(mode="vec")
def residual(x: GMTensor, r: GMTensor, y: GMTensor, M: Var):
    part = Tensor(DT.half, [64, 64], Position.UB)
    ub_y = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            valid = Min(64, M - row)
            part[0:valid, 0:64] <<= x[row:row + valid, 0:64]
            parts[0:valid, 0:64] <<= r[row:row + valid, 0:64]  #~ ERROR unknown-name: `parts` is not defined
            ub_y <<= part + parts
            y[row:row + valid, 0:64] <<= ub_y[0:valid, 0:64]
    return y
