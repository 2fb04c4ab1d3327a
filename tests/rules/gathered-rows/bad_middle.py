#~ pedantic
"""The middle of a row, by an offset for each element."""
from easyasc.a2 import *

WIDTH = 8192
LANES = 64


# a2lint: launch(x=float[40, 8192], y=float[40, 4096])
@kernel(mode="vec")
def middle(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, WIDTH], Position.UB)
    offsets = Tensor(DT.int, [1, WIDTH // 2], Position.UB)
    picked = Tensor(DT.float, [1, WIDTH // 2], Position.UB)
    lane = GetVecIdx()
    offset = Var(0)
    for at in range(0, LANES):
        offset <<= at * 4 + 4096
        offset.SetValueTo(offsets[0:1, at:at + 1])
    bar_all()
    with auto_sync():
        for step in range(1, WIDTH // 2 // LANES):
            at = step * LANES
            adds(offsets[0:1, at:at + LANES], offsets[0:1, 0:LANES], at * 4)
        row <<= x[lane:lane + 1, 0:WIDTH]
        gather(picked, row, offsets.reinterpret(DT.uint32))  #~ INFO gathered-rows: takes 16384 bytes that follow each other
        y[lane:lane + 1, 0:WIDTH // 2] <<= picked
    return y
