#~ pedantic
"""A load fills one slot while the other is worked on."""
from easyasc.a2 import *

# a2lint: launch(N=6, x=float[15360, 64], y=float[15360, 64])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):
    loaded = DBuff(DT.float, [64, 64], Position.UB)
    result = DBuff(DT.float, [64, 64], Position.UB)
    first = GetVecIdx() * N * 64
    with auto_sync():
        for i in range(0, N):
            at = first + i * 64
            loaded[i] <<= x[at:at + 64, 0:64]
            exp(result[i], loaded[i])
            y[at:at + 64, 0:64] <<= result[i]
    return y
