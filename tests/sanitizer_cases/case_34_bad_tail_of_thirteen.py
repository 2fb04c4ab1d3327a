"""Thirteen elements are loaded and sixteen are stored."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_34_bad_tail_of_thirteen(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            ub[0:1, 0:N] <<= x[0:N]
            y[0:16] <<= ub[0:1, 0:16]  #~ ERROR uninitialized-read: undefined
    return y


if __name__ == "__main__":
    N = 13
    x = torch.randn(N)
    y = torch.empty(16)
    OpExec(case_34_bad_tail_of_thirteen, "", simulator=True)(x, y, N)
