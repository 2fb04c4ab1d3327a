"""A divisor above 0, and a quotient that nothing asks for."""
from easyasc.a2 import *
import torch


@kernel(mode="vec")
def guarded(x: GMTensor, y: GMTensor, heads: Var, shared: Var):
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    per = Max(heads // shared, 1)
    count = Var(64 // per)
    with auto_sync():
        for r in range(GetVecIdx(), count, GetVecNum()):
            row[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= row[n]
            n += 1
    return y


@kernel(mode="vec")
def branched(x: GMTensor, y: GMTensor, heads: Var, shared: Var):
    row = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    count = Var(64)
    if shared > 0:
        count = Var(64 // shared * shared)
    with auto_sync():
        for r in range(GetVecIdx(), 64, GetVecNum()):
            row[n] <<= x[r:r + 1, 0:64]
            y[r:r + 1, 0:64] <<= row[n]
            n += 1
    return y


if __name__ == "__main__":
    OpExec(guarded, "out", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), 2, 4)
    OpExec(branched, "out", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), 2, 0)
