"""Kernels that multiply by a number, one for each tile and type."""
from functools import lru_cache

from easyasc.a2 import *

from common import ordered, rows_left


@lru_cache(maxsize=None)
def build_rescale(tile, dtype):
    columns = tile.columns

    @kernel(mode="vec")
    def rescale(x: GMTensor, y: GMTensor, M: Var, factor: Var):
        buf = DBuff(dtype, tile.shape, Position.UB)
        out = DBuff(dtype, tile.shape, Position.UB)
        cnt = Var(0)
        with ordered():
            for row in range(GetVecIdx() * tile.rows, M, GetVecNum() * tile.rows):
                rows = rows_left(tile, M, row)
                buf[cnt][0:rows, 0:columns] <<= x[row:row + rows, 0:columns]
                muls(out[cnt], buf[cnt], factor)
                y[row:row + rows, 0:columns] <<= out[cnt][0:rows, 0:columns]
                cnt += 1
        return y

    return rescale
