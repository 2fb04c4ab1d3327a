"""Other slots of the same buffer."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_slots(x: GMTensor, y: GMTensor):
    d = DBuff(DT.float, [64, 64], Position.UB)
    with auto_sync():
        d[0] <<= x[0:64, 0:64]
        exp(d[1], d[0])
        y[0:64, 0:64] <<= d[1]
    return y
