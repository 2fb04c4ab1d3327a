#~ pedantic
"""An order of integers."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[i32, (64, 64)], y: GM[f32, (64, 64)]):
    t = Tensor(i32, [64, 64], Position.UB)
    f = Tensor(f32, [64, 64], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    with auto_sync():
        t <<= x
        dup(zero, 0.0)
        compare_scalar(keep, t, 32, CompareMode.LT)  #~ WARNING int-compare-mode: the reference lists EQ only
        cast(f, t, round_mode=RoundMode.NONE)
        select(f, keep, f, zero, SelectMode.TENSOR_SCALAR)
        y <<= f
    return y
