"""Launches whose numbers break the contract."""
from easyasc.a2 import *
import torch


# a2lint: assume(M >= 1, N % 64 == 0)
# a2lint: assume(64 <= N <= 256)  what one tile holds
# a2lint: launch(M=0, N=64)  #~ ERROR contract-violated: `M >= 1`, but M = 0
# a2lint: launch(M=100, N=100)  #~ ERROR contract-violated: `N % 64 == 0`, but N = 100
# a2lint: launch(M=100, N=128)
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
    for width in [128, 320]:
        x = torch.randn(100, width)
        y = torch.zeros(100, width)
        OpExec(scale, "out")(x, y, 100, width)  #~ ERROR contract-violated: `N <= 256`, but N = 320
