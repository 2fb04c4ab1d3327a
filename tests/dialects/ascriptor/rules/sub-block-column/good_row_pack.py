"""One column of a matrix, each number in a block of its own."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 1)]):
    t = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        t[0:64, 0:1] <<= x[0:64, 2:3]
        y <<= t[0:64, 0:1]
    return y
