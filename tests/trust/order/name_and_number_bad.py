# A slot that is loaded as `t[z]` and read as `t[0]`, z = 0: one handshake by value, two by name, as the manual has it.
import torch
from easyasc.a2 import *


@kernel()
def f(x: GMTensor, y: GMTensor, n: Var):  #~ VERDICT order: open race
    t = DBuff(DT.float, [8, 64], Position.UB)
    u = DBuff(DT.float, [8, 64], Position.UB)
    i = Var(0)
    z = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), n, GetVecNum()):
            t[z] <<= x[r * 8:r * 8 + 8, 0:64]  #~ WARNING race: by the name of the variable
            adds(u[i], t[0], 1.0)  #~ WARNING race: by the name of the variable
            y[r * 8:r * 8 + 8, 0:64] <<= u[i]
            i += 1
    return y


if __name__ == "__main__":
    OpExec(f, "", simulator=True)(torch.randn(640, 64), torch.zeros(640, 64), 80)
