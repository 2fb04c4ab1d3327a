"""A count does not change the strides that are inferred and printed."""
from ascriptor.a2 import *


@kernel(mode="vec")
def narrow(x: GM[bf16, (64, 16)], y: GM[f32, (64, 16)]):
    half = Tensor(bf16, [64, 16], Position.UB)
    wide = Tensor(f32, [64, 16], Position.UB)
    with auto_sync():
        half <<= x
        cast(wide, half, count=64 * 16)  #~ ERROR narrow-cast
        y[0:64, 0:16] <<= wide
    return y
