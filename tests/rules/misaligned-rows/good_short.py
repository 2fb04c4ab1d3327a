#~ pedantic
"""Rows of 800 bytes, of which 256 are loaded: where they begin does not matter."""
from easyasc.a2 import *

# a2lint: launch(N=3, x=float[7680, 200], y=float[7680, 64])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):
    tile = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    first = GetVecIdx() * N * 64
    with auto_sync():
        for i in range(0, N):
            at = first + i * 64
            tile[i] <<= x[at:at + 64, 0:64]
            exp(out[i], tile[i])
            y[at:at + 64, 0:64] <<= out[i]
    return y
