"""The result of a TENSOR_TENSOR select must not start where a source does."""
from ascriptor.a2 import *


@kernel(mode="vec")
def pick(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    other = Tensor(f32, [64, 64], Position.UB)
    mask = Tensor(u8, [64, 8], Position.UB)
    staging = Tensor(u32, [1, 8], Position.UB)
    with auto_sync():
        tile <<= x
        muls(other, tile, 0.1)
        compare_scalar(mask, tile, 0.0, CompareMode.GT)
        select(tile, mask, tile, other, SelectMode.TENSOR_TENSOR, tmp_addr_buf=staging)  #~ WARNING partial-overlap
        y[0:64, 0:64] <<= tile
    return y
