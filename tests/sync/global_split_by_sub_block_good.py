"""The two sub-blocks of a core store different halves of a tile."""
import torch

from easyasc.a2 import *

@kernel()
def split_by_sub_block(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [32, 64], Position.UB)
    row0 = Var(GetCubeIdx() * 64 + GetSubBlockIdx() * 32)
    ws = split_workspace(DT.float, [GetCubeNum() * 64, 64])
    ub <<= x[row0:row0 + 32, 0:64]
    bar_all()
    ws[row0:row0 + 32, 0:64] <<= ub
    bar_all()
    ub <<= ws[row0:row0 + 32, 0:64]
    bar_all()
    y[row0:row0 + 32, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(split_by_sub_block, "", simulator=True)(torch.randn(1280, 64), torch.zeros(1280, 64))
