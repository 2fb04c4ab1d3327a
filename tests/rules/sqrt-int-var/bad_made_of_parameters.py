"""Numbers made of a parameter that every launch gives an integer are integers."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def scaled(x: GMTensor, y: GMTensor, M: Var, D: Var):
    f = Tensor(DT.float, [8, 64], Position.UB)
    width = Var(D)
    with auto_sync():
        if GetVecIdx() == 0:
            f <<= x[0:8, 0:64]
            muls(f, f, scalar_sqrt(width))  #~ ERROR sqrt-int-var: `width` is int in every launch
            muls(f, f, scalar_sqrt(Min(M, 64) + D))  #~ ERROR sqrt-int-var: is int in every launch
            y[0:8, 0:64] <<= f
    return y


if __name__ == "__main__":
    OpExec(scaled, "", simulator=True)(torch.randn(8, 64), torch.zeros(8, 64), 8, 64)
    OpExec(scaled, "", simulator=True)(torch.randn(8, 64), torch.zeros(8, 64), 8, 128)
