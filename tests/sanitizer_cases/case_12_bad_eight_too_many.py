"""Seventy-two elements into a tensor of sixty-four."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_12_bad_eight_too_many(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 64], Position.UB)
    b = Tensor(DT.float, [1, 64], Position.UB)
    s = Tensor(DT.float, [1, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            s <<= x[0:128]
            dup(b, 5.0)
            adds(a, s, 1.0, count=72)  #~ ERROR operand-overrun: `b`
            add(a, a, b)
            y[0:64] <<= a
    return y


if __name__ == "__main__":
    x = torch.randn(128)
    y = torch.empty(64)
    OpExec(case_12_bad_eight_too_many, "", simulator=True)(x, y)
