"""One sub-block reads what the other has stored, and nothing lets them meet."""
import torch

from easyasc.a2 import *

@kernel()
def split_by_sub_block(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [32, 64], Position.UB)
    base = Var(GetCubeIdx() * 64)
    sb = GetSubBlockIdx()
    ws = split_workspace(DT.float, [GetCubeNum() * 64, 64])
    ub <<= x[base + sb * 32:base + sb * 32 + 32, 0:64]
    bar_all()
    ws[base + sb * 32:base + sb * 32 + 32, 0:64] <<= ub  #~ ERROR race: nothing orders the two lanes
    bar_all()
    ub <<= ws[base + 32 - sb * 32:base + 64 - sb * 32, 0:64]  #~ ERROR race: nothing orders the two lanes
    bar_all()
    # In this run vec0 reads before vec1 has stored.
    y[base + sb * 32:base + sb * 32 + 32, 0:64] <<= ub  #~ ERROR unseeded-accumulation
    return y


if __name__ == "__main__":
    OpExec(split_by_sub_block, "", simulator=True)(torch.randn(1280, 64), torch.zeros(1280, 64))
