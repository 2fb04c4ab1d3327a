"""The last tile has fewer rows than a whole one."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_last_tile(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [32, 64], Position.UB)
    done = DBuff(DT.float, [32, 64], Position.UB)
    tiles = CeilDiv(M, 32)
    slot = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(t * 32)
            rows = Var(32)
            tile[slot][0:rows, 0:64] <<= x[row0:row0 + rows, 0:64]  #~ ERROR gm-out-of-bounds: reads outside of `x` [66, 64]
            muls(done[slot], tile[slot], 2.0)
            y[row0:row0 + rows, 0:64] <<= done[slot][0:rows, 0:64]  #~ ERROR gm-out-of-bounds: writes outside of `y` [66, 64]: axis 0 has 66
            slot += 1
    return y


if __name__ == "__main__":
    import torch

    M = 66
    x = torch.randn(M, 64)
    y = torch.empty(M, 64)
    OpExec(bad_last_tile, "", simulator=True)(x, y, M)
