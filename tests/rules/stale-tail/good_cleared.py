"""The tile is cleared before each load."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def row_sums(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    row = Tensor(DT.float, [1, 64], Position.UB)
    total = Tensor(DT.float, [1, 64], Position.UB)
    cleared = SEvent(Pipe.V, Pipe.MTE2)
    with auto_sync():
        if GetVecIdx() == 0:
            dup(total, 0.0)
            for n in range(0, N, 64):
                valid = Min(64, N - n)
                dup(tile, 0.0)
                cleared.set()
                cleared.wait()
                tile[0:64, 0:valid] <<= x[0:64, n:n + valid]
                cadd(row, tile)
                add(total, total, row)
            y[0:1, 0:64] <<= total
    return y


if __name__ == "__main__":
    OpExec(row_sums, "", simulator=True)(torch.randn(64, 136), torch.zeros(1, 64), 136)
