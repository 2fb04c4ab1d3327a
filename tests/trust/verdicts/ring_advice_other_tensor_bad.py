# A counter that stands still is no reason for races on another tensor, or within one step: both stay errors.
import torch
from easyasc.a2 import *


@kernel()
def another(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT another.order: refuted
    a = DBuff(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    c = Var(0)
    for t in range(GetVecIdx(), N, GetVecNum()):
        b <<= x[t * 64:t * 64 + 64, 0:64]
        exp(a[c], b)  #~ ERROR race: nothing orders MTE2→V
        #~^ WARNING slot-lifetime: never advances
        bar_all()
        y[t * 64:t * 64 + 64, 0:64] <<= a[c]
        bar_all()
    return y


@kernel()
def within(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT within.order: refuted
    ring = DBuff(DT.float, [64, 64], Position.UB)
    still = Var(0)
    for t in range(GetVecIdx(), N, GetVecNum()):
        ring[still] <<= x[t * 64:t * 64 + 64, 0:64]  #~ WARNING slot-lifetime: never advances
        exp(ring[still], ring[still])  #~ ERROR race: nothing orders MTE2→V
        bar_all()
        y[t * 64:t * 64 + 64, 0:64] <<= ring[still]
        bar_all()
    return y


if __name__ == "__main__":
    OpExec(another, "", simulator=True)(torch.randn(12800, 64), torch.zeros(12800, 64), 200)
    OpExec(within, "", simulator=True)(torch.randn(12800, 64), torch.zeros(12800, 64), 200)
