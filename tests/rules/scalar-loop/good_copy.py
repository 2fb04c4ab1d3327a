#~ pedantic
"""A part of one row is copied into another one."""
from easyasc.a2 import *

COLUMNS = 256


# a2lint: launch(x=float[40, 512], y=float[40, 256])
@kernel(mode="vec")
def middle(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 2 * COLUMNS], Position.UB)
    result = Tensor(DT.float, [1, COLUMNS], Position.UB)
    lane = GetVecIdx()
    row <<= x[lane:lane + 1, 0:2 * COLUMNS]
    bar_all()
    ub_to_ub(result, row[0:1, 128:128 + COLUMNS])
    bar_all()
    y[lane:lane + 1, 0:COLUMNS] <<= result
    return y
