"""A count is no mode: afterwards all lanes are on."""
from ascriptor.a2 import *


@kernel(mode="vec")
def masked(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    row = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x
        set_mask(0, 0xFF)
        dup(row, 0.0, count=64)
        add(ub, ub, row)  #~ WARNING mask-clobbered
        reset_mask()
        y[0:64, 0:64] <<= ub
    return y
