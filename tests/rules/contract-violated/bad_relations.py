"""Conditions over several names, and extents that are sums."""
from easyasc.a2 import *
import torch


# a2lint: assume(2 * M <= N and (M + N) % 8 == 0, K != 3)
# a2lint: shapes(x=float[M + N, 64], y=[M + N, 64])
@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var, N: Var, K: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M + N, GetVecNum() * 64):
            rows = Min(64, M + N - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y


def tensors(rows):
    return torch.randn(rows, 64), torch.zeros(rows, 64)


if __name__ == "__main__":
    OpExec(copy, "out")(*tensors(128), 32, 96, 1)
    OpExec(copy, "out")(*tensors(128), 56, 72, 1)
    #~^ ERROR contract-violated: `2 * M <= N`, but M = 56, N = 72
    OpExec(copy, "out")(*tensors(100), 33, 67, 1)
    #~^ ERROR contract-violated: `(M + N) % 8 == 0`, but M = 33, N = 67
    OpExec(copy, "out")(*tensors(128), 32, 96, 3)
    #~^ ERROR contract-violated: `K != 3`, but K = 3
    OpExec(copy, "out")(*tensors(136), 32, 96, 1)
    #~^ ERROR contract-violated: `x=float[M + N, 64]`, but x is float[136, 64] and M = 32, N = 96
    #~^^ ERROR contract-violated: `y=[M + N, 64]`, but y is float[136, 64] and M = 32, N = 96
