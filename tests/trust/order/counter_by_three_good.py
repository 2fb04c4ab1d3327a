# Good: by 3 two slots alternate all the same. With two slots that step by 3, each step takes the other slot.
import torch
from easyasc.a2 import *


@kernel()
def grow(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT order: holds
    a = DBuff(DT.float, [64, 64], Position.UB)
    b = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            a[c] <<= x[t * 64:t * 64 + 64, 0:64]
            exp(b[c], a[c])
            y[t * 64:t * 64 + 64, 0:64] <<= b[c]
            c += 3
    return y


if __name__ == "__main__":
    OpExec(grow, "", simulator=True)(torch.randn(12800, 64), torch.zeros(12800, 64), 200)
