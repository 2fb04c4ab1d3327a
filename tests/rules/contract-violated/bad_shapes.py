"""Launches whose tensors break the contract."""
from easyasc.a2 import *
import torch


# a2lint: shapes(x=float[M, D], y=float[M, D])
# a2lint: assume(D == 64)
# a2lint: launch(M=100, x=float[M, 32])  #~ ERROR contract-violated: `D == 64`, but D = 32
# a2lint: launch(M=100, x=half[M, 64], y=float[M, 64])
#~^ ERROR contract-violated: `x=float[M, D]`, but x is half[100, 64]
@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


if __name__ == "__main__":
    x = torch.randn(128, 64)
    y = torch.zeros(100, 64)
    OpExec(copy, "out")(x, y, 100)
    #~^ ERROR contract-violated: `x=float[M, D]`, but x is float[128, 64] and M = 100, D = 64
    OpExec(copy, "out")(y, y, 100)
