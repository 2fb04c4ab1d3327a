"""The right side of <<= is no place for arithmetic in this dialect."""
from ascriptor.a2 import *


@kernel(mode="vec")
def sums(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    a = Tensor(f32, [64, 64], Position.UB)
    b = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        a <<= x
        b <<= a + a  #~ ERROR trace-error
        y[0:64, 0:64] <<= b
    return y
