#~ pedantic
"""The scratch of a selection is used."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    other = Tensor(f32, [64, 64], Position.UB)
    out = Tensor(f32, [64, 64], Position.UB)
    scratch = Tensor(u32, [1, 8], Position.UB)
    with auto_sync():
        u <<= x
        dup(zero, 0.0)
        dup(other, 1.0)
        add(other, other, zero)
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(out, keep, u, other, SelectMode.TENSOR_TENSOR, tmp_addr_buf=scratch)
        y <<= out
    return y
