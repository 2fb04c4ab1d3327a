# Good: an alias of Python is the same variable, and a number is the same number.
import torch
from easyasc.a2 import *


def load(tile, source, r):
    tile <<= source[r * 8:r * 8 + 8, 0:64]


@kernel()
def f(x: GMTensor, y: GMTensor, n: Var):  #~ VERDICT order: holds
    t = DBuff(DT.float, [8, 64], Position.UB)
    k = DBuff(DT.float, [8, 64], Position.UB)
    u = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    j = i
    with auto_sync():
        for r in range(GetVecIdx(), n, GetVecNum()):
            load(t[i], x, r)
            k[j] <<= x[r * 8:r * 8 + 8, 0:64]
            add(u[i], t[j], k[i])  #~ VERDICT progress: proved
            y[r * 8:r * 8 + 8, 0:64] <<= u[i]
            i += 1
    return y


if __name__ == "__main__":
    OpExec(f, "", simulator=True)(torch.randn(640, 64), torch.zeros(640, 64), 80)
