"""Launches at the borders of the contract."""
from easyasc.a2 import *
import torch


# a2lint: assume(1 <= M < 101, N % 64 == 0, N <= 256)
# a2lint: launch(M=1, N=64)
# a2lint: launch(M=100, N=256)
@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.float, [32, 256], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 32, M, GetVecNum() * 32):
            rows = Min(32, M - row)
            tile[0:rows, 0:N] <<= x[row:row + rows, 0:N]
            y[row:row + rows, 0:N] <<= tile[0:rows, 0:N]
    return y


if __name__ == "__main__":
    x = torch.randn(100, 256)
    y = torch.zeros(100, 256)
    OpExec(scale, "out")(x, y, 100, 256)
