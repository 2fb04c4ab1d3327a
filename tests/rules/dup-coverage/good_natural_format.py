"""Scalars in their natural format: one repeat covers [64, 1]."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_natural_format(x: GMTensor, y: GMTensor):
    row_max = Tensor(DT.float, [64, 1], Position.UB)
    ub = Tensor(DT.float, [64, 64], Position.UB)
    tile_max = Tensor(DT.float, [64, 1], Position.UB)
    with auto_sync():
        dup(row_max, -1.0e30)
        ub <<= x[0:64, 0:64]
        cmax(tile_max, ub)
        vmax(row_max, row_max, tile_max)
        y[0:64] <<= row_max
    return y
