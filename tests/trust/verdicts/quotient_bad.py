# A launch of the file divides by zero, and nothing was said of it
from easyasc.a2 import *
import torch


@kernel(mode="vec")
def by_groups(x: GMTensor, y: GMTensor, heads: Var, shared: Var):
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    per = Var(heads // shared)
    count = Var(64 // per)  #~ ERROR undefined-arithmetic: divides 64 by 0
    with auto_sync():
        for r in range(GetVecIdx(), count, GetVecNum()):
            row[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= row[n]
            n += 1
    return y


if __name__ == "__main__":
    OpExec(by_groups, "out", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), 2, 4)
