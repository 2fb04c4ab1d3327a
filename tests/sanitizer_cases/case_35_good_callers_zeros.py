"""Sums go into a tensor that the caller has zeroed."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_35_good_callers_zeros(x: GMTensor, z: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() < 3:
            ub <<= x[GetVecIdx(), 0:64]
            with atomic_add():
                z[0:64] <<= ub
        if GetVecIdx() == 0:
            y[0:64] <<= ub
    return y


if __name__ == "__main__":
    x = torch.randn(3, 64)
    z = torch.zeros(64)
    y = torch.empty(64)
    OpExec(case_35_good_callers_zeros, "", simulator=True)(x, z, y)
