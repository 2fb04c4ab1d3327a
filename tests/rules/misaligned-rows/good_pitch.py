#~ pedantic
"""Rows of 2560 bytes, of which 2048 are loaded."""
from easyasc.a2 import *

# a2lint: launch(N=3, x=float[2880, 640], y=float[2880, 512])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):
    tile = DBuff(DT.float, [24, 512], Position.UB)
    out = DBuff(DT.float, [24, 512], Position.UB)
    first = GetVecIdx() * N * 24
    with auto_sync():
        for i in range(0, N):
            at = first + i * 24
            tile[i] <<= x[at:at + 24, 0:512]
            exp(out[i], tile[i])
            y[at:at + 24, 0:512] <<= out[i]
    return y
