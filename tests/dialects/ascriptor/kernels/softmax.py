"""Softmax of rows that fit into UB whole.

    e = np.exp(x - x.max(axis=1, keepdims=True));  y = e / e.sum(axis=1, keepdims=True)

    x, y  f32  [M, N]       any M, 1 <= N <= 512

16 rows per lane and step. The load fills the rest of its last block with -1e30, and the fill of
the tile the columns after that, so the missing columns lose every maximum and add nothing.
"""
from ascriptor.a2 import *

ROWS = 16
WIDTH = 512
LANES = 64
LOWEST = -1.0e30


def fold(op, dst, wide):
    """All parts of 64 columns together."""
    op(dst, wide[:, 0:LANES], wide[:, LANES:2 * LANES])
    for part in unroll(2, WIDTH // LANES):
        op(dst, dst, wide[:, part * LANES:(part + 1) * LANES])


def with_rows(op, wide, values, spread):
    """`op` on every part of 64 columns, with one value for each row."""
    brcb(spread, values, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
    for part in unroll(WIDTH // LANES):
        columns = wide[:, part * LANES:(part + 1) * LANES]
        op(columns, columns, spread)


@kernel(mode="vec")
def row_softmax(x: GM[f32, ("M", "N")], y: GM[f32, ("M", "N")]):
    tile = DBuff(f32, [ROWS, WIDTH], Position.UB)
    folded = Tensor(f32, [ROWS, LANES], Position.UB)
    spread = Tensor(f32, [ROWS, 8], Position.UB)
    peak = Tensor(f32, [1, ROWS], Position.UB)
    total = Tensor(f32, [1, ROWS], Position.UB)
    ones = Tensor(f32, [1, ROWS], Position.UB)
    beat = Var(0)

    dup(ones, 1.0, count=ROWS)
    for step in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
        with auto_sync():
            row0 = step * ROWS
            rows = Min(ROWS, M - row0)
            dup(tile[beat], LOWEST)
            gm_to_ub_pad(tile[beat][0:rows, 0:N], x[row0:row0 + rows, 0:N], pad=LOWEST)

            fold(vmax, folded, tile[beat])
            cmax(peak, folded)
            with_rows(sub, tile[beat], peak, spread)
            exp(tile[beat], tile[beat])
            fold(add, folded, tile[beat])
            cadd(total, folded)
            div(total, ones, total, count=ROWS)
            with_rows(mul, tile[beat], total, spread)
            y[row0:row0 + rows, 0:N] <<= tile[beat][0:rows, 0:N]
            beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for M, N in [(1, 512), (17, 1), (300, 65), (33, 200)]:
        OpExec(row_softmax, launcher="sim")(torch.randn(M, N), torch.empty(M, N))
