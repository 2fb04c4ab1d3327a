"""Thirteen bytes to a border."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_08_good_block(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.int8, [1, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            ub[0:1, 32:45] <<= x[0:13]
            y[0:13] <<= ub[0:1, 32:45]
    return y


if __name__ == "__main__":
    x = torch.zeros(64, dtype=torch.int8)
    y = torch.zeros(13, dtype=torch.int8)
    OpExec(case_08_good_block, "", simulator=True)(x, y)
