#~ pedantic
"""The launch decides where the window begins: that it is a whole block in this one means nothing."""
from easyasc.a2 import *

WIDTH = 8192
LANES = 64


# a2lint: launch(x=float[40, 8192], window=int[40, 64], y=float[40, 4096])
@kernel(mode="vec")
def windows(x: GMTensor, window: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, WIDTH], Position.UB)
    begin = Tensor(DT.int, [1, LANES], Position.UB)
    offsets = Tensor(DT.int, [1, WIDTH // 2], Position.UB)
    picked = Tensor(DT.float, [1, WIDTH // 2], Position.UB)
    lane = GetVecIdx()
    offset = Var(0)
    for at in range(0, LANES):
        offset <<= at * 4
        offset.SetValueTo(offsets[0:1, at:at + 1])
    bar_all()
    with auto_sync():
        begin <<= window[lane:lane + 1, 0:LANES]
        vmaxs(begin, begin, 0)
        vmins(begin, begin, 0)
        add(offsets[0:1, 0:LANES], offsets[0:1, 0:LANES], begin)
        for step in range(1, WIDTH // 2 // LANES):
            at = step * LANES
            adds(offsets[0:1, at:at + LANES], offsets[0:1, 0:LANES], at * 4)
        row <<= x[lane:lane + 1, 0:WIDTH]
        gather(picked, row, offsets.reinterpret(DT.uint32))
        y[lane:lane + 1, 0:WIDTH // 2] <<= picked
    return y
