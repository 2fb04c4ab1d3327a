#~ pedantic
"""The first half of each row of a tile, by a copy of rows."""
from easyasc.a2 import *

ROWS = 1024
PITCH = 16
COLUMNS = 8


# a2lint: launch(x=float[40960, 16], y=float[40, 8192])
@kernel(mode="vec")
def first_halves(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [ROWS, PITCH], Position.UB)
    picked = Tensor(DT.float, [1, ROWS * COLUMNS], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * ROWS:lane * ROWS + ROWS, 0:PITCH]
        ub_to_ub(picked, tile, ROWS, 1, 1, 0)
        y[lane:lane + 1, 0:ROWS * COLUMNS] <<= picked
    return y
