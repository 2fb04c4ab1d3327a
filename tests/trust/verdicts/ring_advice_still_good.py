# A counter that stands still behind full barriers is slow and not wrong: the advice leaves `order` proved.
import torch
from easyasc.a2 import *


@kernel()
def slow(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT order: holds
    a = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    for t in range(GetVecIdx(), N, GetVecNum()):
        a[c] <<= x[t * 64:t * 64 + 64, 0:64]  #~ WARNING slot-lifetime: never advances
        bar_all()
        exp(a[c], a[c])
        bar_all()
        y[t * 64:t * 64 + 64, 0:64] <<= a[c]
        bar_all()
    return y


if __name__ == "__main__":
    OpExec(slow, "", simulator=True)(torch.randn(12800, 64), torch.zeros(12800, 64), 200)
