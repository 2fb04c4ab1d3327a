# A counter that advances by 2 takes one slot again and again, and two tokens let two steps run at once.
import torch
from easyasc.a2 import *


@kernel()
def grow(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT order: open race
    a = DBuff(DT.float, [64, 64], Position.UB)
    b = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            a[c] <<= x[t * 64:t * 64 + 64, 0:64]  #~ WARNING race: nothing orders V→MTE2 where `auto_sync` counts
            exp(b[c], a[c])  #~ WARNING race: nothing orders MTE3→V where `auto_sync` counts
            y[t * 64:t * 64 + 64, 0:64] <<= b[c]
            c += 2
    return y


if __name__ == "__main__":
    OpExec(grow, "", simulator=True)(torch.randn(12800, 64), torch.zeros(12800, 64), 200)
