"""The launch passes floats; the tile is half. Whatever is computed of them is no further mistake."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.half, [64, 64], Position.UB)
    total = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            valid = Min(64, M - m)
            tile[0:valid, 0:64] <<= x[m:m + valid, 0:64]  #~ ERROR move-dtype: which is half, and the launch gives `x` as float
            rec(total, tile)
            y[m:m + valid, 0:64] <<= total[0:valid, 0:64]
    return y


if __name__ == "__main__":
    OpExec(scale, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64).half(), 256)
