# Two variables that always hold the same number are two slots by name.
import torch
from easyasc.a2 import *


@kernel()
def f(x: GMTensor, y: GMTensor, n: Var):  #~ VERDICT order: open
    t = DBuff(DT.float, [8, 64], Position.UB)
    u = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    j = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), n, GetVecNum()):
            t[i] <<= x[r * 8:r * 8 + 8, 0:64]
            adds(u[i], t[j], 1.0)  #~ ERROR race: nothing orders MTE2→V
            y[r * 8:r * 8 + 8, 0:64] <<= u[i]
            i += 1
            j += 1
    return y


if __name__ == "__main__":
    OpExec(f, "", simulator=True)(torch.randn(640, 64), torch.zeros(640, 64), 80)
