"""A row of 64 halfs is filled with one repeat of 128."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_half_row(x: GMTensor, y: GMTensor):
    row = Tensor(DT.half, [1, 64], Position.UB)
    with auto_sync():
        dup(row, 1.0)  #~ ERROR operand-overrun: dup() writes 64 elements past the end of `row` [1,64] (repeat 1)
        y[0:1, 0:64] <<= row
    return y
