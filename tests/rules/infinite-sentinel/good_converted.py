"""A sentinel that both types hold, and one that has been replaced before the conversion."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_converted(x: GMTensor, y: GMTensor, z: GMTensor):
    wide = Tensor(DT.float, [8, 64], Position.UB)
    tile = Tensor(DT.float, [8, 64], Position.UB)
    narrow = Tensor(DT.half, [8, 64], Position.UB)
    low = Tensor(DT.half, [8, 64], Position.UB)
    dup(wide, -60000.0)
    dup(tile, -1.0e30)
    bar_all()
    tile <<= x[0:8, 0:64]
    bar_all()
    cast(narrow, tile)
    cast(low, wide)
    bar_all()
    y[0:8, 0:64] <<= narrow
    z[0:8, 0:64] <<= low
    return y, z
