"""A contract is that of the kernel below it, and of no other."""
from easyasc.a2 import *


# a2lint: assume(M % 64 == 0)
# a2lint: launch(M=128)
@kernel(mode="vec")
def whole(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile[0:64, 0:64] <<= x[row:row + 64, 0:64]
            y[row:row + 64, 0:64] <<= tile[0:64, 0:64]
    return y


# assume(M % 64 == 0) is not a contract, and neither is `a2lint: assume(M % 64 == 0)`
# a2lint: launch(M=100)
@kernel(mode="vec")
def tails(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y
