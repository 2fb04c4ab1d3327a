# One of two launches gives the parameter whose root is taken an integer: it breaks what the proof asks for
from easyasc.a2 import *
import torch


@kernel()
def scaled(x: GMTensor, y: GMTensor, R: Var, D: Var):
    a = DBuff(DT.float, [1, 64], Position.UB)
    b = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), R, GetVecNum()):
            a[n] <<= x[r:r + 1, 0:64]
            muls(b[n], a[n], scalar_sqrt(D))  #~ ERROR sqrt-int-var: `D` is int in launch(D=64)
            y[r:r + 1, 0:64] <<= b[n]
            n += 1
    return y


if __name__ == "__main__":
    op = OpExec(scaled, "out", simulator=True)
    op(torch.randn(8, 64), torch.zeros(8, 64), 8, 64.0)
    op(torch.randn(8, 64), torch.zeros(8, 64), 8, 64)
