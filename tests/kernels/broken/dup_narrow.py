"""A constant in broadcast format, filled with a dup that reaches 64 of 512 lanes.

    y = x - 0.5

    x float [M, 64], y float [M, 64].  Blocks of 64 rows are dealt to
    all vec lanes of all cores.
"""
from easyasc.a2 import *

ROWS = 64
WIDTH = 64
BLOCK = 32 // 4           # floats of one 32-byte block


@kernel(mode="vec")
def dup_narrow(x: GMTensor, y: GMTensor, M: Var):
    ub_x = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    ub_y = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    shift8 = Tensor(DT.float, [ROWS, BLOCK], Position.UB)

    tiles = CeilDiv(M, ROWS)
    count = Var(0)

    with auto_sync():
        # 8 repeats with block stride 0: only the first 8 rows are written.
        dup(shift8, 0.5)  #~ ERROR dup-coverage
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            r = Var(tile * ROWS)
            valid = Min(ROWS, M - r)
            ub_x[count][0:valid, 0:WIDTH] <<= x[r:r + valid, 0:WIDTH]
            # 64 repeats, one block of shift8 each: all 512 lanes are read.
            sub(ub_y[count], ub_x[count], shift8)
            y[r:r + valid, 0:WIDTH] <<= ub_y[count][0:valid, 0:WIDTH]
            count += 1

    return y


if __name__ == "__main__":
    import torch

    for M in [64, 129]:
        x = torch.randn(M, WIDTH).float()
        y = torch.zeros(M, WIDTH).float()
        OpExec(dup_narrow, "", simulator=True)(x, y, M)
