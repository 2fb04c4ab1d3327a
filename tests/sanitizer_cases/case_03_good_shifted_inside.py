"""The same shift, in a tensor that is long enough."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_03_good_shifted_inside(x: GMTensor, y: GMTensor, N: Var):
    TILE = 64
    ub = Tensor(DT.float, [1, 128], Position.UB)
    out = Tensor(DT.float, [1, 128], Position.UB)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(N, TILE), GetVecNum()):
            n = Var(t * TILE)
            have = Min(TILE, N - n)
            ub[0:1, 0:have] <<= x[n + 100:n + 100 + have]
            adds(out, ub, 1.0)
            y[n:n + have] <<= out[0:1, 0:have]
    return y


if __name__ == "__main__":
    N = 200
    x = torch.randn(N + 100)
    y = torch.empty(N)
    OpExec(case_03_good_shifted_inside, "", simulator=True)(x, y, N)
