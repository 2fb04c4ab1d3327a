"""The last tile stores what is left."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_02_good_cut(x: GMTensor, y: GMTensor, N: Var):
    TILE = 64
    ub = Tensor(DT.float, [1, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            dup(ub, 1.0)
            for n in range(0, N, TILE):
                have = Min(TILE, N - n)
                y[n:n + have] <<= ub[0:1, 0:have]
    return y


if __name__ == "__main__":
    N = 200
    x = torch.randn(N)
    y = torch.empty(N)
    OpExec(case_02_good_cut, "", simulator=True)(x, y, N)
