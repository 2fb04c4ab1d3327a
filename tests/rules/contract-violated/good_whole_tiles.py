"""Without its contract, this kernel would leave a tail: nobody launches it with one."""
from easyasc.a2 import *


# a2lint: assume(M >= 64, M % 64 == 0)
# a2lint: shapes(x=float[M, 64], y=float[M, 64])
@kernel(mode="vec")
def whole(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile[0:64, 0:64] <<= x[row:row + 64, 0:64]
            y[row:row + 64, 0:64] <<= tile[0:64, 0:64]
    return y
