"""100 floats take two repeats, 28 lanes too many."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_row_of_100(x: GMTensor, y: GMTensor):
    row = DBuff(DT.float, [1, 100], Position.UB)
    with auto_sync():
        dup(row[0], 1.0)  #~ ERROR operand-overrun: writes 28 elements past the end of `row[0]` [1,100] (repeat 2), over slot 1 of `row`
        y[0:1, 0:100] <<= row[0]
    return y
