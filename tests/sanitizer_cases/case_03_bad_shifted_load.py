"""The load starts a hundred elements late."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_03_bad_shifted_load(x: GMTensor, y: GMTensor, N: Var):
    TILE = 64
    ub = Tensor(DT.float, [1, 128], Position.UB)
    out = Tensor(DT.float, [1, 128], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(N, TILE), GetVecNum()):
            n = Var(t * TILE)
            have = Min(TILE, N - n)
            ub[0:1, 0:have] <<= x[n + 100:n + 100 + have]  #~ ERROR gm-out-of-bounds: reads outside of `x` [200]
            adds(out, ub, 1.0)
            y[n:n + have] <<= out[0:1, 0:have]
    return y


if __name__ == "__main__":
    N = 200
    x = torch.randn(N)
    y = torch.empty(N)
    OpExec(case_03_bad_shifted_load, "", simulator=True)(x, y, N)
