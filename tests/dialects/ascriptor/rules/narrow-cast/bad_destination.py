"""Rows of the destination that are one block: nothing is measured of those."""
from ascriptor.a2 import *


@kernel(mode="vec")
def narrow(x: GM[f32, (16, 16)], y: GM[bf16, (16, 16)]):
    wide = Tensor(f32, [16, 16], Position.UB)
    short = Tensor(bf16, [16, 16], Position.UB)
    with auto_sync():
        wide <<= x
        cast(short, wide, round_mode=RoundMode.TO_EVEN, count=256)  #~ WARNING narrow-cast: gives its `dst`
        y[0:16, 0:16] <<= short
    return y
