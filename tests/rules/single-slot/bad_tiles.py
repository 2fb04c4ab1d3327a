#~ pedantic
"""Loads, arithmetic and stores take the tiles in turn."""
from easyasc.a2 import *

# a2lint: launch(N=6, x=float[15360, 64], y=float[15360, 64])
@kernel(mode="vec")
def exponentials(x: GMTensor, y: GMTensor, N: Var):
    loaded = Tensor(DT.float, [64, 64], Position.UB)  #~ INFO single-slot: `loaded` and `result` have one slot
    result = Tensor(DT.float, [64, 64], Position.UB)
    first = GetVecIdx() * N * 64
    with auto_sync():
        for i in range(0, N):
            at = first + i * 64
            loaded <<= x[at:at + 64, 0:64]
            exp(result, loaded)
            y[at:at + 64, 0:64] <<= result
    return y
