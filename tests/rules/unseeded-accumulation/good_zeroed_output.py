"""Zeros are stored, all lanes meet, then the sums are added."""
from easyasc.a2 import *

@kernel()
def good_zeroed_output(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    zeros = Tensor(DT.float, [32, 64], Position.UB)
    dup(zeros, 0.0)
    bar_all()
    if GetVecIdx() == 0:
        y[0:32, 0:64] <<= zeros
    allvec_ready(0)
    allvec_wait(0)
    if GetVecIdx() < 2:
        row0 = Var(GetVecIdx() * 32)
        tile <<= x[row0:row0 + 32, 0:64]
        bar_all()
        with atomic_add():
            y[0:32, 0:64] <<= tile
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.zeros(32, 64)
    OpExec(good_zeroed_output, "", simulator=True)(x, y)
