"""Growth of a running row maximum, with the old maximum saved by ub_to_ub.

    blocks = x.reshape(M, T, 64).max(axis=2)                   # [M, T]
    runs   = np.maximum.accumulate(blocks, axis=1)
    y      = np.exp(runs[:, -2] - runs[:, -1])                 # one per row

    x float [M, N] with N = 64 * T and T >= 2, y float [M] with M = 64 * tiles.
"""
from easyasc.a2 import *

ROWS = 64
WIDTH = 64
LOWEST = -1.0e30


@kernel()
def copy_row_scalars(x: GMTensor, y: GMTensor, M: Var, N: Var):
    ub_x = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    block_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    run_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    old_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    growth = Tensor(DT.float, [1, ROWS], Position.UB)
    ub_y = Tensor(DT.float, [1, ROWS], Position.UB)

    tiles = Var(M // ROWS)
    count = Var(0)

    with auto_sync():
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            r = Var(tile * ROWS)
            dup(run_max, LOWEST)
            for c in range(0, N, WIDTH):
                ub_x[count] <<= x[r:r + ROWS, c:c + WIDTH]
                cmax(block_max, ub_x[count])
                # Moves one 32-byte block per row: 2048 bytes, not 256.
                ub_to_ub(old_max, run_max)  #~ ERROR ub-to-ub-scalar
                vmax(run_max, run_max, block_max)
                count += 1
            sub(growth, old_max, run_max)
            exp(ub_y, growth)
            y[r:r + ROWS] <<= ub_y

    return y


if __name__ == "__main__":
    import torch

    for M, N in [(64, 128), (192, 256)]:
        x = torch.randn(M, N).float()
        y = torch.zeros(M).float()
        OpExec(copy_row_scalars, "", simulator=True)(x, y, M, N)
