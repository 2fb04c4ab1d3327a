#~ pedantic
"""The same with halfs."""
from easyasc.a2 import *

# a2lint: launch(N=3, x=half[2880, 1040], y=half[2880, 1024])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):
    tile = DBuff(DT.half, [24, 1024], Position.UB)
    out = DBuff(DT.half, [24, 1024], Position.UB)
    first = GetVecIdx() * N * 24
    with auto_sync():
        for i in range(0, N):
            at = first + i * 24
            tile[i] <<= x[at:at + 24, 0:1024]  #~ INFO misaligned-rows: rows of `x`
            exp(out[i], tile[i])
            y[at:at + 24, 0:1024] <<= out[i]
    return y
