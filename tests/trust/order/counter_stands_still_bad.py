# A counter that stands still: a warning already, and the tokens let loads overtake what computes.
import torch
from easyasc.a2 import *


@kernel()
def grow(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT order: open
    a = DBuff(DT.float, [64, 64], Position.UB)
    b = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            a[c] <<= x[t * 64:t * 64 + 64, 0:64]  #~ WARNING slot-lifetime: never advances
            exp(b[c], a[c])  #~ WARNING slot-lifetime: never advances
            y[t * 64:t * 64 + 64, 0:64] <<= b[c]
    return y


if __name__ == "__main__":
    OpExec(grow, "", simulator=True)(torch.randn(12800, 64), torch.zeros(12800, 64), 200)
