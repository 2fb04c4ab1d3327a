"""The vector mask is left partial for whoever runs next."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_36_bad_mask_stays(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            ub <<= x[0:64]
            set_mask(0, 0xFF)  #~ WARNING mask-leak: still in force at the end
            adds(ub, ub, 1.0)
            y[0:64] <<= ub
    return y


if __name__ == "__main__":
    x = torch.randn(64)
    y = torch.empty(64)
    OpExec(case_36_bad_mask_stays, "", simulator=True)(x, y)
