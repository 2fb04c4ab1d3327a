"""A select between two tensors needs a staging tensor."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def pick(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    other = Tensor(f32, [64, 64], Position.UB)
    out = Tensor(f32, [64, 64], Position.UB)
    mask = Tensor(u8, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x
        muls(other, tile, 0.1)
        compare_scalar(mask, tile, 0.0, CompareMode.GT)
        select(out, mask, tile, other, SelectMode.TENSOR_TENSOR)  #~ ERROR trace-error: tmp_addr_buf
        y[0:64, 0:64] <<= out
    return y
