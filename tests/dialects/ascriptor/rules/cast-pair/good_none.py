"""The mode is given; a widening pair needs none."""
from ascriptor.a2 import *


@kernel(mode="vec")
def narrow(x: GM[i32, (64, 128)], y: GM[f32, (64, 128)]):
    wide = Tensor(i32, [64, 128], Position.UB)
    short = Tensor(i16, [64, 128], Position.UB)
    result = Tensor(f32, [64, 128], Position.UB)
    with auto_sync():
        wide <<= x
        cast(short, wide, round_mode=RoundMode.NONE)
        cast(result, short)
        y[0:64, 0:128] <<= result
    return y
