"""192 KB and one block."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_11_bad_one_block_over(x: GMTensor, y: GMTensor):
    big = Tensor(DT.float, [768, 64], Position.UB)
    more = Tensor(DT.float, [1, 8], Position.UB)  #~ ERROR ub-overflow
    if GetVecIdx() == 0:
        with auto_sync():
            big <<= x[0:768, 0:64]
            more <<= x[0:1, 0:8]
            adds(big, big, 1.0, repeat=255)
            adds(more, more, 1.0)
            y[0:255, 0:64] <<= big[0:255, 0:64]
            y[255:256, 0:8] <<= more
    return y


if __name__ == "__main__":
    x = torch.randn(768, 64)
    y = torch.zeros(256, 64)
    OpExec(case_11_bad_one_block_over, "", simulator=True)(x, y)
