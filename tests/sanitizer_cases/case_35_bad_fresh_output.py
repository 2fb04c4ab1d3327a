"""Sums go into an output that nobody has zeroed."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_35_bad_fresh_output(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() < 3:
            ub <<= x[GetVecIdx(), 0:64]
            with atomic_add():
                y[0:64] <<= ub  #~ ERROR unseeded-accumulation: adds to elements of `y`
    return y


if __name__ == "__main__":
    x = torch.randn(3, 64)
    y = torch.zeros(64)
    OpExec(case_35_bad_fresh_output, "", simulator=True)(x, y)
