# compare and select look at no mask, and a comparison of seven rows says nothing of the eighth.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def masked(x: GM[f32, (1, 64)], y: GM[f32, (1, 64)]):
    row = Tensor(f32, [1, 64], Position.UB)
    keep = Tensor(u8, [1, 32], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        dup(zero, 0.0)
        row <<= x
        set_mask(0, 0xFFFF)
        compare_scalar(keep, row, 0.0, CompareMode.GT)  #~ WARNING mask-ignored: compare_scalar()
        select(row, keep, row, zero, SelectMode.TENSOR_SCALAR)  #~ WARNING mask-ignored: select()
        reset_mask()
        y <<= row
    return y


@kernel(mode="vec", block_dim=1)
def seven_of_eight(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    keep = Tensor(u8, [8, 32], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        dup(zero, 0.0)
        tile <<= x
        compare_scalar(keep, tile[0:7, 0:64], 0.0, CompareMode.GT)
        select(tile, keep, tile, zero, SelectMode.TENSOR_SCALAR)  #~ ERROR compare-tail: 64 of them come from no comparison
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def all_lanes(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    keep = Tensor(u8, [8, 32], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        dup(zero, 0.0)
        tile <<= x
        compare_scalar(keep, tile, 0.0, CompareMode.GT)
        select(tile, keep, tile, zero, SelectMode.TENSOR_SCALAR)
        set_mask(0, 0xFFFF)
        muls(tile, tile, 2.0)
        reset_mask()
        y <<= tile
    return y
