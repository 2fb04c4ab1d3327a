"""Both lanes compute, one of them adds."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def sums(x: GMTensor, total: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for m in range(GetCubeIdx() * 64, M, GetCubeNum() * 64):
            tile <<= x[m:m + 64, 0:64]
            exp(out, tile)
            if GetSubBlockIdx() == 0:
                with atomic_add():
                    total[0:64, 0:64] <<= out
            y[m:m + 64, 0:64] <<= out
    return y


if __name__ == "__main__":
    x = torch.randn(2560, 64)
    total = torch.zeros(64, 64)
    y = torch.zeros(2560, 64)
    OpExec(sums, "", simulator=True)(x, total, y, 2560)
