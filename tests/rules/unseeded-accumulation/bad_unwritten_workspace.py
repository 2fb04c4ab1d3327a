"""A running total is kept in a workspace, and the first step loads it."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_unwritten_workspace(x: GMTensor, y: GMTensor):
    part = Tensor(DT.float, [8, 64], Position.UB)
    total = Tensor(DT.float, [8, 64], Position.UB)
    ws = split_workspace(DT.float, [GetVecNum(), 8, 64])
    lane = GetVecIdx()
    if lane == 0:
        for step in range(0, 4):
            part <<= x[step * 8:step * 8 + 8, 0:64]
            total <<= ws[lane, 0:8, 0:64]
            bar_all()
            add(total, total, part)  #~ ERROR unseeded-accumulation: reads `total`
            bar_all()
            ws[lane, 0:8, 0:64] <<= total
            bar_all()
        y[0:8, 0:64] <<= total
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(32, 64)
    y = torch.empty(8, 64)
    OpExec(bad_unwritten_workspace, "", simulator=True)(x, y)
