# A lane whose share is empty computes with what its guarded load left alone, and stores nothing: no finding.
import torch
from easyasc.a2 import *


@kernel()
def guarded(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    per = Var(CeilDiv(M, GetVecNum()))
    row0 = Var(GetVecIdx() * per)
    v = Var(Min(per, M - row0))
    if v > 0:
        ub[0:v, 0:64] <<= x[row0:row0 + v, 0:64]
    bar_all()
    exp(out, ub)
    bar_all()
    if v > 0:
        y[row0:row0 + v, 0:64] <<= out[0:v, 0:64]
    return y


@kernel()
def clipped_store(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.half, [64, 64], Position.UB)
    wide = Tensor(DT.float, [64, 64], Position.UB)
    per = Var(CeilDiv(M, GetVecNum()))
    row0 = Var(GetVecIdx() * per)
    rows = Var(Max(Min(per, M - row0), 0))
    if rows > 0:
        ub[0:rows, 0:64] <<= x[row0:row0 + rows, 0:64]
    bar_all()
    cast(wide, ub)
    bar_v()
    muls(wide, wide, 2.0)
    bar_all()
    y[row0:row0 + rows, 0:64] <<= wide[0:rows, 0:64]
    return y


if __name__ == "__main__":
    OpExec(guarded, "", simulator=True)(torch.randn(70, 64), torch.zeros(70, 64), 70)
    OpExec(clipped_store, "", simulator=True)(torch.randn(70, 64).half(), torch.zeros(70, 64), 70)
