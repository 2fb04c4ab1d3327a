#~ pedantic
"""A row is filled at once."""
from easyasc.a2 import *

COLUMNS = 256


# a2lint: launch(x=float[40, 256], y=float[40, 256], bound=0.5)
@kernel(mode="vec")
def bounded(x: GMTensor, y: GMTensor, bound: Var):
    row = Tensor(DT.float, [1, COLUMNS], Position.UB)
    bounds = Tensor(DT.float, [1, COLUMNS], Position.UB)
    lane = GetVecIdx()
    value = Var(bound, DT.float)
    with auto_sync():
        dup(bounds, value)
        row <<= x[lane:lane + 1, 0:COLUMNS]
        vmin(row, row, bounds)
        y[lane:lane + 1, 0:COLUMNS] <<= row
    return y
