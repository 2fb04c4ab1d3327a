# A shift by more bits than the type has, under the launch of the file
from easyasc.a2 import *
import torch


@kernel(mode="vec")
def chunks(x: GMTensor, y: GMTensor, levels: Var):
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    count = Var(1 << levels)  #~ ERROR undefined-arithmetic: by 40 bits; int has 32
    with auto_sync():
        for r in range(GetVecIdx(), Min(count, 64), GetVecNum()):
            row[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= row[n]
            n += 1
    return y


if __name__ == "__main__":
    OpExec(chunks, "out", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), 40)
