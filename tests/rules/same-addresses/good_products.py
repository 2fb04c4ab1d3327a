#~ pedantic
"""Each core multiplies rows of its own with all tiles, from the first one on: loads of 20 cores keep up."""
from easyasc.a2 import *

ROWS = 64
DEPTH = 64
TILES = 40


# a2lint: launch(a=half[1280, 64], b=half[2560, 512], c=half[1280, 2560])
@kernel()
def products(a: GMTensor, b: GMTensor, c: GMTensor):
    left = Tensor(DT.half, [ROWS, DEPTH], Position.L1)
    right = DBuff(DT.half, [ROWS, DEPTH], Position.L1)
    sums = DBuff(DT.float, [ROWS, ROWS], Position.L0C)
    first = GetCubeIdx() * ROWS
    with auto_sync():
        left <<= a[first:first + ROWS, 0:DEPTH]
        for step in range(0, TILES):
            at = step * ROWS
            right[step] <<= b[at:at + ROWS, 0:DEPTH]
            matmul(sums[step], left, right[step])
            c[first:first + ROWS, at:at + ROWS] <<= sums[step]
    return c
