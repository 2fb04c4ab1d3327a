"""16 halves are one block: the inferred stride is 0, and silicon repeats the first block."""
from ascriptor.a2 import *


@kernel(mode="vec")
def narrow(x: GM[f16, (64, 16)], y: GM[f32, (64, 16)]):
    half = Tensor(f16, [64, 16], Position.UB)
    wide = Tensor(f32, [64, 16], Position.UB)
    with auto_sync():
        half <<= x
        cast(wide, half)  #~ ERROR narrow-cast
        y[0:64, 0:16] <<= wide
    return y
