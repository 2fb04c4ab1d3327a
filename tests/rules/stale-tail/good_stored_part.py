"""Old rows and columns are computed along, and not stored."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    slot = Var(0)
    with auto_sync():
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - m)
            for n in range(0, N, 64):
                columns = Min(64, N - n)
                tile[slot][0:rows, 0:columns] <<= x[m:m + rows, n:n + columns]
                exp(out[slot], tile[slot])
                y[m:m + rows, n:n + columns] <<= out[slot][0:rows, 0:columns]
                slot += 1
    return y


if __name__ == "__main__":
    x = torch.randn(2600, 72)
    OpExec(exponentials, "", simulator=True)(x, torch.zeros(2600, 72), 2600, 72)
