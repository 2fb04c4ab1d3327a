"""One column of a matrix, into rows that are no whole blocks."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 1)]):
    t = Tensor(f32, [64, 12], Position.UB)
    with auto_sync():
        t[0:64, 0:1] <<= x[0:64, 2:3]  #~ WARNING sub-block-column: 4 bytes from each row
        #~^ ERROR operand-overrun: writes 128 elements
        y <<= t[0:64, 0:1]  #~ ERROR operand-overrun: reads 16 elements
    return y
