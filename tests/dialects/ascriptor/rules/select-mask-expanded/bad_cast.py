"""Zeros and ones converted to bytes are no packed mask."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 64], Position.UB)
    h = Tensor(f16, [64, 64], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        u <<= x
        dup(zero, 0.0)
        cast(h, u, round_mode=RoundMode.TO_EVEN)
        cast(keep, h, round_mode=RoundMode.TRUNC)
        select(u, keep, u, zero, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-expanded: 512 bytes decide 4096 elements
        y <<= u
    return y
