"""No launch has more rows than there is room for results."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_bounded_rows(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    sums = Tensor(DT.float, [1, 32], Position.UB)
    rest = Tensor(DT.float, [1, 256], Position.UB)
    valid = Min(32, M)
    if GetVecIdx() == 0:
        with auto_sync():
            tile[0:valid, 0:64] <<= x[0:valid, 0:64]
            cadd(sums, tile[0:valid, 0:64])
            dup(rest, 0.0)
            y[0:32] <<= sums[0:1, 0:32]
    return y


if __name__ == "__main__":
    import torch

    M = 64
    x = torch.randn(M, 64)
    y = torch.zeros(32)
    OpExec(good_bounded_rows, "", simulator=True)(x, y, M)
