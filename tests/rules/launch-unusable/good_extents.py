"""Names of extents get values too."""
from easyasc.a2 import *


# a2lint: launch(M=100, W=64, x=float[M, W], y=[M, W])
#a2lint:launch( M = 64 , x = float[64, 64] )
@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y
