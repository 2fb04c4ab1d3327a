#~ pedantic
"""The sum of the iterations before is in the tile: it cannot have two slots."""
from easyasc.a2 import *

# a2lint: launch(N=6, x=float[15360, 64], y=float[2560, 64])
@kernel(mode="vec")
def sums(x: GMTensor, y: GMTensor, N: Var):
    tile = DBuff(DT.float, [64, 64], Position.UB)
    total = Tensor(DT.float, [64, 64], Position.UB)
    lane = GetVecIdx()
    with auto_sync():
        dup(total, 0.0)
        for i in range(0, N):
            at = (lane * N + i) * 64
            tile[i] <<= x[at:at + 64, 0:64]
            add(total, total, tile[i])
        y[lane * 64:lane * 64 + 64, 0:64] <<= total
    return y
