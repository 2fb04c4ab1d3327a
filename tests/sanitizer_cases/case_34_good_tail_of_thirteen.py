"""Thirteen elements are loaded, and thirteen are stored."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_34_good_tail_of_thirteen(x: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    out = Tensor(DT.float, [1, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            ub[0:1, 0:N] <<= x[0:N]
            adds(out, ub, 1.0)
            y[0:N] <<= out[0:1, 0:N]
    return y


if __name__ == "__main__":
    N = 13
    x = torch.randn(N)
    y = torch.empty(N)
    OpExec(case_34_good_tail_of_thirteen, "", simulator=True)(x, y, N)
