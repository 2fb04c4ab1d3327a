"""Tensors that come from a file."""
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


def test_copy():
    x = torch.load("x.pt")
    OpExec(copy, "out")(x, torch.zeros_like(x), 64)  #~ INFO launch-unreadable: the shape of this argument of `copy` cannot be read


def test_all(arguments):
    OpExec(copy, "out")(*arguments)  #~ INFO launch-unreadable: this argument of `copy` cannot be read
