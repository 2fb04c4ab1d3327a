"""A kernel with mistakes, for the tests in real editors. 内核测试 🙂"""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    bias = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        dup(bias, 0.25)
        for r in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            tile <<= x[r:r + 64, 0:64]
            sub(tile, tile, bias)
            tile + tile
            y[r:r + 64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    M = 128
    x = torch.arange(M * 64).reshape(M, 64).float()
    y = torch.zeros(M - 64, 64)
    OpExec(scale, "", simulator=True)(x, y, M)
