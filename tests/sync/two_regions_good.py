"""A full barrier between two regions."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def two_regions(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub
    bar_all()
    with auto_sync():
        ub <<= x[64:128, 0:64]
        y[64:128, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(two_regions, "", simulator=True)(torch.randn(128, 64), torch.zeros(128, 64))
