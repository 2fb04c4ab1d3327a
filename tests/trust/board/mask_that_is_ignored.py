# compare and select look at no mask, and a comparison of seven rows says nothing of the eighth.
from easyasc.a2 import *


@kernel(mode="vec")
def masked(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 64], Position.UB)
    keep = Tensor(DT.uint8, [1, 32], Position.UB)
    with auto_sync():
        row <<= x[0:1, 0:64]
        set_mask(0, 0xFFFF)
        compare_scalar(keep, row, 0.0, CompareMode.GT)  #~ WARNING mask-ignored: compare_scalar()
        select(row, keep, row, 0.0)  #~ WARNING mask-ignored: select()
        reset_mask()
        y[0:1, 0:64] <<= row
    return y


@kernel(mode="vec")
def seven_of_eight(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 32], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        compare_scalar(keep, tile[0:7, 0:64], 0.0, CompareMode.GT)
        select(tile, keep, tile, 0.0)  #~ ERROR compare-tail: 64 of them come from no comparison
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def all_lanes(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 32], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        compare_scalar(keep, tile, 0.0, CompareMode.GT)
        select(tile, keep, tile, 0.0)
        set_mask(0, 0xFFFF)
        muls(tile, tile, 2.0)
        reset_mask()
        y[0:8, 0:64] <<= tile
    return y
