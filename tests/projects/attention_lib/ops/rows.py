"""Kernels that go over rows."""
from easyasc.a2 import *

from configs import SQUARE
from common import Rows, ordered, rows_left

ROWS = Rows(SQUARE)
COLUMNS = SQUARE.columns


@kernel(mode="vec")
def row_bias(x: GMTensor, bias: GMTensor, y: GMTensor, M: Var):
    buf = DBuff(DT.float, [ROWS.rows, COLUMNS], Position.UB)
    add_to = DBuff(DT.float, [ROWS.rows, COLUMNS], Position.UB)
    out = DBuff(DT.float, [ROWS.rows, COLUMNS], Position.UB)
    cnt = Var(0)
    first, last, step = ROWS.bounds(M)
    with ordered():
        for row in range(first, last, step):
            rows = rows_left(SQUARE, M, row)
            buf[cnt][0:rows, 0:COLUMNS] <<= x[row:row + rows, 0:COLUMNS]
            add_to[cnt][0:rows, 0:COLUMNS] <<= bias[row:row + rows, 0:COLUMNS]
            out[cnt] <<= buf[cnt] + add_to[cnt]
            y[row:row + rows, 0:COLUMNS] <<= out[cnt][0:rows, 0:COLUMNS]
            cnt += 1
    return y


@kernel(mode="vec")
def shift(x: GMTensor, y: GMTensor, M: Var, by: Var):
    buf = DBuff(DT.float, [ROWS.rows, COLUMNS], Position.UB)
    out = DBuff(DT.float, [ROWS.rows, COLUMNS], Position.UB)
    cnt = Var(0)
    first, last, step = ROWS.bounds(M)
    with ordered():
        for row in range(first, last, step):
            rows = rows_left(SQUARE, M, row)
            buf[cnt][0:rows, 0:COLUMNS] <<= x[row:row + rows, 0:COLUMNS]
            adds(out[cnt], buf[cnt], by)
            y[row:row + rows, 0:COLUMNS] <<= out[cnt][0:rows, 0:COLUMNS]
            cnt += 1
    return y
