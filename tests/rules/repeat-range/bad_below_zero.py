"""Tiles in pairs: the second one of the last pair may begin after the last row."""
from easyasc.a2 import *

ROWS = 64


@kernel(mode="vec")
def pairs(x: GMTensor, y: GMTensor, M: Var):
    tiles = [Tensor(DT.float, [ROWS, 64], Position.UB) for _ in range(2)]
    outs = [Tensor(DT.float, [ROWS, 64], Position.UB) for _ in range(2)]
    with auto_sync():
        for pair in range(GetVecIdx(), CeilDiv(M, 2 * ROWS), GetVecNum()):
            for half, (tile, out) in enumerate(zip(tiles, outs)):
                row = Var((pair * 2 + half) * ROWS)
                rows = Min(ROWS, M - row)
                tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]  #~ ERROR repeat-range: a length of -24 is negative
                exp(out, tile)
                y[row:row + rows, 0:64] <<= out[0:rows, 0:64]  #~ ERROR repeat-range: a length of -24 is negative
    return y


if __name__ == "__main__":
    import torch

    OpExec(pairs, "", simulator=True)(torch.randn(40, 64), torch.empty(40, 64), 40)
