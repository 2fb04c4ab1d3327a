"""Cases of a test."""
import pytest
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


@pytest.mark.parametrize("M", [64, 100])
def test_copy(M):
    x = torch.randn(M, 64)
    OpExec(copy, "out")(x, torch.zeros_like(x), M)
