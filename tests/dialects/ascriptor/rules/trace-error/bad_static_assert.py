"""An assertion that Python decides."""
from ascriptor.a2 import *

WIDTH = 96


@kernel(mode="vec")
def asserted(x: GM[f32, (64, WIDTH)], y: GM[f32, (64, WIDTH)]):
    static_assert(WIDTH % 64 == 0, "a row is whole repeats")  #~ ERROR trace-error: static assertion
    ub = Tensor(f32, [64, WIDTH], Position.UB)
    with auto_sync():
        ub <<= x
        exp(ub, ub)
        y[0:64, 0:WIDTH] <<= ub
    return y
