"""192 KB to the byte."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_11_good_exactly_full(x: GMTensor, y: GMTensor):
    big = Tensor(DT.float, [760, 64], Position.UB)
    more = Tensor(DT.float, [8, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            big <<= x[0:760, 0:64]
            more <<= x[760:768, 0:64]
            y[0:760, 0:64] <<= big
            y[760:768, 0:64] <<= more
    return y


if __name__ == "__main__":
    x = torch.randn(768, 64)
    y = torch.empty(768, 64)
    OpExec(case_11_good_exactly_full, "", simulator=True)(x, y)
