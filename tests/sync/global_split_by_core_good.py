"""Each vec lane stores its own rows of a tensor, and reads them again behind a barrier."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def split_by_core(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    row0 = Var(GetVecIdx() * 64)
    ws = split_workspace(DT.float, [GetVecNum(), 64, 64])
    ub <<= x[row0:row0 + 64, 0:64]
    bar_all()
    ws[GetVecIdx(), 0:64, 0:64] <<= ub
    bar_all()
    ub <<= ws[GetVecIdx(), 0:64, 0:64]
    bar_all()
    y[row0:row0 + 64, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(split_by_core, "", simulator=True)(torch.randn(2560, 64), torch.zeros(2560, 64))
