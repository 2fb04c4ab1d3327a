"""The lanes of a core share the rows out, the cores do not."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def sums(x: GMTensor, total: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for m in range(GetSubBlockIdx() * 64, M, 128):
            tile <<= x[m:m + 64, 0:64]
            with atomic_add():
                total[0:64, 0:64] <<= tile  #~ ERROR atomic-double-count: on core 1 adds to `total` what core 0 has computed
            y[m:m + 64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    x = torch.randn(2560, 64)
    total = torch.zeros(64, 64)
    y = torch.zeros(2560, 64)
    OpExec(sums, "", simulator=True)(x, total, y, 2560)
