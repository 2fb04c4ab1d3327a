#~ pedantic
"""Products of tiles of floats."""
from easyasc.a2 import *

ROWS = 128
DEPTH = 64
STEPS = 8


# a2lint: launch(a=float[2560, 512], b=float[128, 512], c=float[2560, 128])
@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    left = DBuff(DT.float, [ROWS, DEPTH], Position.L1)
    right = DBuff(DT.float, [ROWS, DEPTH], Position.L1)
    sums = Tensor(DT.float, [ROWS, ROWS], Position.L0C)
    first = GetCubeIdx() * ROWS
    with auto_sync():
        for step in range(0, STEPS):
            at = step * DEPTH
            left[step] <<= a[first:first + ROWS, at:at + DEPTH]
            right[step] <<= b[0:ROWS, at:at + DEPTH]
            bar_m()
            matmul(sums, left[step], right[step], is_init=step == 0)  #~ INFO float-product: matmul() takes floats: halves in `a` and `b`
        c[first:first + ROWS, 0:ROWS] <<= sums
    return c
