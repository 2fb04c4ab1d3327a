"""Partial sums of ones are alike, and of different data."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def sums(x: GMTensor, total: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for m in range(GetCubeIdx() * 64, M, GetCubeNum() * 64):
            tile <<= x[m:m + 64, 0:64]
            half = Var(GetSubBlockIdx() * 32)
            with atomic_add():
                total[0:32, 0:64] <<= tile[half:half + 32, 0:64]
            y[m:m + 64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    x = torch.ones(2560, 64)
    total = torch.zeros(64, 64)
    y = torch.zeros(2560, 64)
    OpExec(sums, "", simulator=True)(x, total, y, 2560)
