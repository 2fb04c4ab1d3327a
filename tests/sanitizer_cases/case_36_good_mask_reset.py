"""The vector mask is put back."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_36_good_mask_reset(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            ub <<= x[0:64]
            set_mask(0, 0xFF)
            adds(ub, ub, 1.0)
            reset_mask()
            y[0:64] <<= ub
    return y


if __name__ == "__main__":
    x = torch.randn(64)
    y = torch.empty(64)
    OpExec(case_36_good_mask_reset, "", simulator=True)(x, y)
