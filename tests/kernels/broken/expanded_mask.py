"""Dropout-like select whose mask has a byte, not a bit, per element.

    y = np.where(keep != 0, x, 0)

    x float [M, 64], keep uint8 [M, 64] (0 or 1), y float [M, 64]
"""
from easyasc.a2 import *

ROWS = 64
WIDTH = 64


@kernel()
def expanded_mask(x: GMTensor, keep: GMTensor, y: GMTensor, M: Var):
    ub_x = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    ub_keep = DBuff(DT.uint8, [ROWS, WIDTH], Position.UB)
    ub_y = DBuff(DT.float, [ROWS, WIDTH], Position.UB)
    zero = Tensor(DT.float, [1, WIDTH], Position.UB)

    tiles = CeilDiv(M, ROWS)
    count = Var(0)

    with auto_sync():
        dup(zero, 0.0)
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            r = Var(tile * ROWS)
            valid = Min(ROWS, M - r)
            ub_x[count][0:valid, 0:WIDTH] <<= x[r:r + valid, 0:WIDTH]
            ub_keep[count][0:valid, 0:WIDTH] <<= keep[r:r + valid, 0:WIDTH]
            # select wants packed bits: [64, 8] bytes for this tile.
            select(ub_y[count], ub_keep[count], ub_x[count], zero, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-expanded
            y[r:r + valid, 0:WIDTH] <<= ub_y[count][0:valid, 0:WIDTH]
            count += 1

    return y


if __name__ == "__main__":
    import torch

    for M in [64, 128]:
        x = torch.randn(M, WIDTH).float()
        keep = torch.randint(0, 2, (M, WIDTH)).to(torch.uint8)
        y = torch.zeros(M, WIDTH).float()
        OpExec(expanded_mask, "", simulator=True)(x, keep, y, M)
