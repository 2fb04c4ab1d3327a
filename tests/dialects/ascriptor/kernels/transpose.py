"""A transposed copy of an f16 matrix in blocks of 16 x 16, and its first column.

    y = x.T;   first = x[:, 0]

    x  f16  [M, N];   y  f16  [N, M];   first  f16  [M]       any M, N >= 1

transdata5hd turns 16 rows of 128 columns into 128 rows of one block. The first column is row 0
of the turned tile; bits are moved, so it may go by way of another type.
"""
from ascriptor.a2 import *

ROWS = 16
COLUMNS = 128


@kernel(mode="vec")
def transpose(x: GM[f16, ("M", "N")], y: GM[f16, ("N", "M")], first: GM[f16, "M"]):
    tile = DBuff(f16, [ROWS, COLUMNS], Position.UB)
    turned = DBuff(f16, [COLUMNS, ROWS], Position.UB)
    column = DBuff(f16, [1, ROWS], Position.UB)
    tiles_n = CeilDiv(N, COLUMNS)
    beat = Var(0)

    with auto_sync():
        for unit in range(GetVecIdx(), CeilDiv(M, ROWS) * tiles_n, GetVecNum()):
            m0 = unit // tiles_n * ROWS
            n0 = unit % tiles_n * COLUMNS
            rows = Min(ROWS, M - m0)
            columns = Min(COLUMNS, N - n0)
            tile[beat, 0:rows, 0:columns] <<= x[m0:m0 + rows, n0:n0 + columns]
            transdata5hd(turned[beat], tile[beat], COLUMNS // 16, COLUMNS, ROWS)
            bits = turned[beat, 0:1, :].reinterpret(u16)
            ub_to_ub(column[beat].reinterpret(u16), bits)
            y[n0:n0 + columns, m0:m0 + rows] <<= turned[beat, 0:columns, 0:rows]
            if n0 == 0:
                first[m0:m0 + rows] <<= column[beat, :, 0:rows]
            beat += 1
    return y, first


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for M, N in [(1, 1), (16, 128), (100, 200)]:
        x = torch.randn(M, N).half()
        y = torch.empty(N, M).half()
        OpExec(transpose, launcher="sim", block_dim=4)(x, y, torch.empty(M).half())
