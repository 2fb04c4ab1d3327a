"""Only the first half of every row is stored."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_half_row(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [32, 64], Position.UB)
    done = DBuff(DT.float, [32, 64], Position.UB)
    tiles = CeilDiv(M, 32)
    slot = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(t * 32)
            rows = Min(32, M - row0)
            tile[slot][0:rows, 0:64] <<= x[row0:row0 + rows, 0:64]
            muls(done[slot], tile[slot], 2.0)
            y[row0:row0 + rows, 0:32] <<= done[slot][0:rows, 0:32]  #~ ERROR output-hole: the first at [0, 32]
            slot += 1
    return y


if __name__ == "__main__":
    import torch

    M = 40
    x = torch.randn(M, 64)
    y = torch.empty(M, 64)
    OpExec(bad_half_row, "", simulator=True)(x, y, M)
