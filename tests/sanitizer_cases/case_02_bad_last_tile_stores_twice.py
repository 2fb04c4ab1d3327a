"""The last tile stores two tiles."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_02_bad_last_tile_stores_twice(x: GMTensor, y: GMTensor, N: Var):
    TILE = 64
    ub = Tensor(DT.float, [1, 128], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            dup(ub, 1.0)
            for n in range(0, N, TILE):
                if n + TILE >= N:
                    y[n:n + 128] <<= ub[0:1, 0:128]  #~ ERROR gm-out-of-bounds: writes outside of `y` [200]
                else:
                    y[n:n + TILE] <<= ub[0:1, 0:TILE]
    return y


if __name__ == "__main__":
    N = 200
    x = torch.randn(N)
    y = torch.empty(N)
    OpExec(case_02_bad_last_tile_stores_twice, "", simulator=True)(x, y, N)
