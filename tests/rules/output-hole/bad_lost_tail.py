"""The number of tiles is rounded down: the last rows are nobody's."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_lost_tail(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [32, 64], Position.UB)
    done = DBuff(DT.float, [32, 64], Position.UB)
    tiles = var_div(M, 32)
    slot = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(t * 32)
            rows = Min(32, M - row0)
            tile[slot][0:rows, 0:64] <<= x[row0:row0 + rows, 0:64]
            muls(done[slot], tile[slot], 2.0)
            y[row0:row0 + rows, 0:64] <<= done[slot][0:rows, 0:64]  #~ ERROR output-hole: 128 of the 4224 elements
            slot += 1
    return y


if __name__ == "__main__":
    import torch

    M = 66
    x = torch.randn(M, 64)
    y = torch.empty(M, 64)
    OpExec(bad_lost_tail, "", simulator=True)(x, y, M)
