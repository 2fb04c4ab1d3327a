#~ pedantic
"""Products of floats whose operands are taken to L0 by hand."""
from easyasc.a2 import *

ROWS = 64
DEPTH = 64
STEPS = 16


# a2lint: launch(a=float[1280, 1024], b=float[1280, 1024], c=float[1280, 64])
@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    left = DBuff(DT.float, [ROWS, DEPTH], Position.L1)
    right = DBuff(DT.float, [ROWS, DEPTH], Position.L1)
    operand_a = DBuff(DT.float, [ROWS, DEPTH], Position.L0A)
    operand_b = DBuff(DT.float, [ROWS, DEPTH], Position.L0B)
    sums = Tensor(DT.float, [ROWS, ROWS], Position.L0C)
    first = GetCubeIdx() * ROWS
    with auto_sync():
        for step in range(0, STEPS):
            at = step * DEPTH
            left[step] <<= a[first:first + ROWS, at:at + DEPTH]
            right[step] <<= b[first:first + ROWS, at:at + DEPTH]
            operand_a[step] <<= left[step]
            operand_b[step] <<= right[step]
            bar_m()
            mmad(sums, operand_a[step], operand_b[step], ROWS, ROWS, DEPTH, step == 0)  #~ INFO float-product: mmad() takes floats
        c[first:first + ROWS, 0:ROWS] <<= sums
    return c
