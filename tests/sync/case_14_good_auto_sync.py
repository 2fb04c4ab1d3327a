"""auto_sync orders load, vector instruction and store."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)

    with auto_sync():
        ub <<= x[0:64, 0:64]
        exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(exponentials, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
