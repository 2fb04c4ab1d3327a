"""Elementwise functions in pieces, by packed comparison results.

huber_grad     d = p - t;  g = np.where(abs(d) <= delta, d, np.sign(d) * delta)
shrink         y = np.where(x > lam, x - lam, np.where(x < -lam, x + lam, 0))
masked_fill    y = np.where(keep, x, fill), `keep` packed, LSB first, 128 columns per row

Shapes   p, t, g, x, y float [M, 128], keep uint8 [M, 16]
Tiling   32 rows per vec lane, lanes take row tiles round robin.
Masks    one bit per element: 128 columns are 16 bytes of mask per row. A compare
         of the whole tile packs all of its 4096 bits one after the other.

masked_fill, UB per lane in bytes
    x_in       2 x [32,128] float    32768
    y_out      2 x [32,128] float    32768
    bits       2 x [32,32]  uint8     2048
    total                            67584  (of 196608)
"""
import torch

from easyasc.a2 import *

ROWS = 32
D = 128
MASK_BYTES = D // 8


@kernel()
def huber_grad(p: GMTensor, t: GMTensor, g: GMTensor, M: Var, delta: Var):
    p_in = DBuff(DT.float, [ROWS, D], Position.UB)
    t_in = DBuff(DT.float, [ROWS, D], Position.UB)
    diff = Tensor(DT.float, [ROWS, D], Position.UB)
    g_out = Tensor(DT.float, [ROWS, D], Position.UB)
    near = Tensor(DT.uint8, [ROWS, D // 8], Position.UB)
    above = Tensor(DT.uint8, [ROWS, D // 8], Position.UB)
    # A scalar select takes element 0 for every rejected lane.
    lower = Tensor(DT.float, [1, 64], Position.UB)

    tiles = CeilDiv(M, ROWS)
    slot = Var(0)
    minus_delta = Var(0.0 - delta)

    with auto_sync():
        dup(lower, minus_delta)
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(tile * ROWS)
            rows = Min(ROWS, M - row0)
            p_in[slot][0:rows, 0:D] <<= p[row0:row0 + rows, 0:D]
            t_in[slot][0:rows, 0:D] <<= t[row0:row0 + rows, 0:D]
            sub(diff, p_in[slot], t_in[slot])
            compare_scalar(above, diff, 0.0, CompareMode.GT)
            abs(p_in[slot], diff)
            compare_scalar(near, p_in[slot], delta, CompareMode.LE)

            # Far away: +delta above, -delta below.
            dup(t_in[slot], delta)
            select(p_in[slot], above, t_in[slot], lower, SelectMode.TENSOR_SCALAR)
            select(g_out, near, diff, p_in[slot], SelectMode.TENSOR_TENSOR)
            g[row0:row0 + rows, 0:D] <<= g_out[0:rows, 0:D]
            slot += 1
    return g


@kernel()
def shrink(x: GMTensor, y: GMTensor, M: Var, lam: Var):
    x_in = DBuff(DT.float, [ROWS, D], Position.UB)
    y_out = DBuff(DT.float, [ROWS, D], Position.UB)
    moved = Tensor(DT.float, [ROWS, D], Position.UB)
    above = Tensor(DT.uint8, [ROWS, D // 8], Position.UB)
    below = Tensor(DT.uint8, [ROWS, D // 8], Position.UB)

    tiles = CeilDiv(M, ROWS)
    slot = Var(0)
    minus_lam = Var(0.0 - lam)

    with auto_sync():
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(tile * ROWS)
            rows = Min(ROWS, M - row0)
            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
            compare_scalar(above, x_in[slot], lam, CompareMode.GT)
            compare_scalar(below, x_in[slot], minus_lam, CompareMode.LT)
            adds(moved, x_in[slot], minus_lam)
            select(y_out[slot], above, moved, 0.0, SelectMode.TENSOR_SCALAR)
            adds(x_in[slot], x_in[slot], lam)
            select(moved, below, x_in[slot], 0.0, SelectMode.TENSOR_SCALAR)
            # One of the two is zero everywhere.
            add(y_out[slot], y_out[slot], moved)
            y[row0:row0 + rows, 0:D] <<= y_out[slot][0:rows, 0:D]
            slot += 1
    return y


@kernel()
def masked_fill(x: GMTensor, keep: GMTensor, y: GMTensor, M: Var, fill: Var):
    x_in = DBuff(DT.float, [ROWS, D], Position.UB)
    y_out = DBuff(DT.float, [ROWS, D], Position.UB)
    # A row of 16 bytes is padded to a block by the load, so a row is 32 bytes.
    bits = DBuff(DT.uint8, [ROWS, 32], Position.UB)

    tiles = CeilDiv(M, ROWS)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(tile * ROWS)
            rows = Min(ROWS, M - row0)
            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
            bits[slot][0:rows, 0:MASK_BYTES] <<= keep[row0:row0 + rows, 0:MASK_BYTES]
            for r in range(rows):
                select(
                    y_out[slot][r:r + 1, 0:D],
                    bits[slot][r:r + 1, 0:MASK_BYTES],
                    x_in[slot][r:r + 1, 0:D],
                    fill,
                    SelectMode.TENSOR_SCALAR,
                )
            y[row0:row0 + rows, 0:D] <<= y_out[slot][0:rows, 0:D]
            slot += 1
    return y


if __name__ == "__main__":
    for M in [1, 64, 300]:
        x = torch.randn(M, D)
        t = torch.randn(M, D)
        y = torch.zeros(M, D)
        keep = torch.randint(0, 256, (M, MASK_BYTES)).to(torch.uint8)
        OpExec(huber_grad, "", simulator=True)(x, t, y, M, 0.75)
        OpExec(shrink, "", simulator=True)(x, y, M, 0.5)
        OpExec(masked_fill, "", simulator=True)(x, keep, y, M, -100.0)
