"""A narrowing pair that takes no rounding: the default mode is refused."""
from ascriptor.a2 import *


@kernel(mode="vec")
def narrow(x: GM[i32, (64, 128)], y: GM[i16, (64, 128)]):
    wide = Tensor(i32, [64, 128], Position.UB)
    short = Tensor(i16, [64, 128], Position.UB)
    with auto_sync():
        wide <<= x
        cast(short, wide)  #~ ERROR cast-pair
        y[0:64, 0:128] <<= short
    return y
