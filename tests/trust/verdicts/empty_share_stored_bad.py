# Near misses of an empty share: what the guarded load left undefined is stored, or decides about something.
import torch
from easyasc.a2 import *


@kernel()
def stored_whole(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [2, 64], Position.UB)
    out = Tensor(DT.float, [2, 64], Position.UB)
    row0 = Var(GetVecIdx() * 2)
    v = Var(Min(2, M - row0))
    if v > 0:
        ub[0:v, 0:64] <<= x[row0:row0 + v, 0:64]
    bar_all()
    exp(out, ub)  #~ ERROR uninitialized-read
    bar_all()
    y[row0:row0 + 2, 0:64] <<= out
    return y


@kernel()
def asks_for_a_scalar(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [2, 64], Position.UB)
    out = Tensor(DT.float, [2, 64], Position.UB)
    row0 = Var(GetVecIdx() * 2)
    v = Var(Min(2, M - row0))
    if v > 0:
        ub[0:v, 0:64] <<= x[row0:row0 + v, 0:64]
    bar_all()
    exp(out, ub)  #~ ERROR uninitialized-read
    bar_all()
    first = Var(0.0, DT.float)
    first.GetValueFrom(out)
    bar_all()
    if first > 1.0:
        if v > 0:
            y[row0:row0 + v, 0:64] <<= out[0:v, 0:64]
    else:
        if v > 0:
            y[row0:row0 + v, 0:64] <<= ub[0:v, 0:64]
    return y


if __name__ == "__main__":
    OpExec(stored_whole, "", simulator=True)(torch.randn(70, 64), torch.zeros(80, 64), 70)
    OpExec(asks_for_a_scalar, "", simulator=True)(torch.randn(70, 64), torch.zeros(70, 64), 70)
