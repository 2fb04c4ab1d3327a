"""The number of elements does not fit into an int32: no tile is left."""
from easyasc.a2 import *


@kernel(mode="vec")
def tiles_of_a_product(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    tiles = CeilDiv(M * N, 1 << 26)
    with auto_sync():
        for index in range(GetVecIdx(), tiles, GetVecNum()):  #~ ERROR scalar-overflow: is 64, wraps to 0 and bounds this loop
            tile <<= x[index * 64:index * 64 + 64, 0:64]
            y[index * 64:index * 64 + 64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    import torch

    M = 65536
    N = 65536
    x = torch.randn(4096, 64)
    y = torch.empty(4096, 64)
    OpExec(tiles_of_a_product, "", simulator=True)(x, y, M, N)
