# Buffers from a comprehension over the facade's `range` are known, one by one: the loop over them is traced whole.
from easyasc.a2 import *

ROWS = 64


# a2lint: launch(x=float[128, 64], y=float[128, 64])
@kernel(mode="vec")
def halves(x: GMTensor, y: GMTensor):
    tiles = [Tensor(DT.float, [ROWS, 64], Position.UB) for _ in range(2)]
    outs = [Tensor(DT.float, [ROWS, 64], Position.UB) for _ in range(2)]
    with auto_sync():
        for half, (tile, out) in enumerate(zip(tiles, outs)):
            row = half * ROWS
            tile <<= x[row:row + ROWS, 0:64]
            exp(out, tile)
            y[row:row + ROWS, 0:64] <<= out
    return y
