#~ pedantic
"""The first half of each row of a tile, by an offset for each element."""
from easyasc.a2 import *

ROWS = 1024
PITCH = 16
COLUMNS = 8
LANES = 64
STEP = LANES // COLUMNS


# a2lint: launch(x=float[40960, 16], y=float[40, 8192])
@kernel(mode="vec")
def first_halves(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [ROWS, PITCH], Position.UB)
    offsets = Tensor(DT.int, [1, ROWS * COLUMNS], Position.UB)
    picked = Tensor(DT.float, [1, ROWS * COLUMNS], Position.UB)
    lane = GetVecIdx()
    offset = Var(0)
    for row in range(0, STEP):
        for column in range(0, COLUMNS):
            offset <<= (row * PITCH + column) * 4
            at = row * COLUMNS + column
            offset.SetValueTo(offsets[0:1, at:at + 1])
    bar_all()
    with auto_sync():
        for step in range(1, ROWS // STEP):
            at = step * LANES
            adds(offsets[0:1, at:at + LANES], offsets[0:1, 0:LANES], step * STEP * PITCH * 4)
        tile <<= x[lane * ROWS:lane * ROWS + ROWS, 0:PITCH]
        gather(picked, tile, offsets.reinterpret(DT.uint32))  #~ INFO gathered-rows: takes 1024 rows of 32 bytes, 64 apart
        y[lane:lane + 1, 0:ROWS * COLUMNS] <<= picked
    return y
