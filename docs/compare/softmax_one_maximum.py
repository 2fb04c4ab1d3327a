"""Softmax of rows of 128 floats in two halves, with one maximum for both."""
from easyasc.a2 import *

ROWS = 32
LANES = 64
BLK = 8


# a2lint: launch(M=70, x=float[70, 128], y=float[70, 128])
@kernel(mode="vec")
def softmax(x: GMTensor, y: GMTensor, M: Var):
    part = Tensor(DT.float, [ROWS, LANES], Position.UB)
    first = Tensor(DT.float, [ROWS, LANES], Position.UB)
    rows8 = Tensor(DT.float, [ROWS, BLK], Position.UB)
    top = Tensor(DT.float, [1, ROWS], Position.UB)
    seen = Tensor(DT.float, [1, ROWS], Position.UB)
    total = Tensor(DT.float, [1, ROWS], Position.UB)
    share = Tensor(DT.float, [1, ROWS], Position.UB)
    one = Tensor(DT.float, [1, ROWS], Position.UB)
    with auto_sync():
        dup(one, 1.0, count=ROWS)
        for tile in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
            row = Var(tile * ROWS)
            rows = Min(ROWS, M - row)
            # Rows that are not loaded stay as they are, and are never stored.
            dup(part, 0.0)
            dup(first, 0.0)
            bar_all()
            first[0:rows, :] <<= x[row:row + rows, 0:LANES]
            part[0:rows, :] <<= x[row:row + rows, LANES:2 * LANES]

            cmax(seen, first)
            cmax(top, part)
            vmax(top, top, seen, count=ROWS)
            brcb(rows8, top, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            sub(first, first, rows8)
            exp(first, first)
            cadd(total, first)
            sub(part, part, rows8)
            exp(part, part)
            cadd(share, part)
            add(total, total, share, count=ROWS)

            div(share, one, total, count=ROWS)
            brcb(rows8, share, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            mul(part, part, rows8)
            mul(first, first, rows8)
            y[row:row + rows, 0:LANES] <<= first[0:rows, :]
            y[row:row + rows, LANES:2 * LANES] <<= part[0:rows, :]
    return y
