"""A shift inside of the type."""
from easyasc.a2 import *
import torch


@kernel(mode="vec")
def chunks(x: GMTensor, y: GMTensor, levels: Var):
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    count = Var(1 << levels)
    with auto_sync():
        for r in range(GetVecIdx(), Min(count, 64), GetVecNum()):
            row[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= row[n]
            n += 1
    return y


if __name__ == "__main__":
    OpExec(chunks, "out", simulator=True)(torch.randn(64, 64), torch.zeros(16, 64), 4)
