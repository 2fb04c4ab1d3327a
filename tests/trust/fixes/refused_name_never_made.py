# The line that makes `ub_r` is missing: `ub_x`, which is in use, is no spelling of it
from easyasc.a2 import *


# a2lint: launch(M=100, x=half[100, 64], r=half[100, 64], y=half[100, 64])
@kernel(mode="vec")
def residual(x: GMTensor, r: GMTensor, y: GMTensor, M: Var):
    ub_x = Tensor(DT.half, [64, 64], Position.UB)
    ub_y = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            valid = Min(64, M - row)
            ub_x[0:valid, 0:64] <<= x[row:row + valid, 0:64]
            ub_r[0:valid, 0:64] <<= r[row:row + valid, 0:64]  #~ ERROR unknown-name: `ub_r` is not defined
            ub_y <<= ub_x + ub_r
            y[row:row + valid, 0:64] <<= ub_y[0:valid, 0:64]
    return y
