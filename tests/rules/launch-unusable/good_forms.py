"""Every form that can be used."""
from easyasc.a2 import *


# a2lint: launch(M=100)
# a2lint: launch(M=1_280)  sizes that the kernel touches
# a2lint: launch(M=200, x=float[M, 64], y=float[M, 64])
# launches are written as `a2lint: launch(M=100)`
@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y
