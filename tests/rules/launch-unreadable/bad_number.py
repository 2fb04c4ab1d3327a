"""A size that somebody types in."""
import torch

from easyasc.a2 import *


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
    M = int(input())
    OpExec(copy, "out")(torch.randn(M, 64), torch.zeros(M, 64), 64)  #~ INFO launch-unreadable: the shape of this argument of `copy` cannot be read
    OpExec(copy, "out")(torch.randn(64, 64), torch.zeros(64, 64), M)  #~ INFO launch-unreadable: this argument of `copy` cannot be read: the launch is not used
