"""Barriers of pipes that a vec core has."""
from easyasc.a2 import *


@kernel(mode="vec")
def of_its_own(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        y[0:8, 0:64] <<= tile
    bar_mte3()
    bar_all()
    return y
