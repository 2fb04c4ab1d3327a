"""The last tile loads two tiles: 224 bytes behind the end."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_01_bad_last_tile_loads_twice(x: GMTensor, y: GMTensor, N: Var):
    TILE = 64
    ub = Tensor(DT.float, [1, 128], Position.UB)
    out = Tensor(DT.float, [1, 128], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(N, TILE), GetVecNum()):
            n = Var(t * TILE)
            have = Min(TILE, N - n)
            if n + TILE >= N:
                ub[0:1, 0:128] <<= x[n:n + 128]  #~ ERROR gm-out-of-bounds: reads outside of `x` [200]
            else:
                ub[0:1, 0:TILE] <<= x[n:n + TILE]
            adds(out, ub, 1.0)
            y[n:n + have] <<= out[0:1, 0:have]
    return y


if __name__ == "__main__":
    N = 200
    x = torch.randn(N)
    y = torch.empty(N)
    OpExec(case_01_bad_last_tile_loads_twice, "", simulator=True)(x, y, N)
