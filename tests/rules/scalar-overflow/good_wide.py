"""The same product in an int64, a byte that holds its number, and a uint32 above 2^31."""
from easyasc.a2 import *


@kernel(mode="vec")
def tiles_of_a_wide_product(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    wide = Var(M, DT.int64)
    tiles = CeilDiv(wide * N, 1 << 26)
    step = Var(200, DT.uint8)
    large = Var(3000000000, DT.uint32)
    with auto_sync():
        for index in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(Min(index * 64, large))
            if step > 127:
                tile <<= x[row:row + 64, 0:64]
                y[row:row + 64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    import torch

    M = 65536
    N = 65536
    x = torch.randn(4096, 64)
    y = torch.empty(4096, 64)
    OpExec(tiles_of_a_wide_product, "", simulator=True)(x, y, M, N)
