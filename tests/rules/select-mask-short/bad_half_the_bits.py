"""Four bytes per row for 64 columns."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_half_the_bits(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 4], Position.UB)
    row = Tensor(DT.float, [64, 32], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        row <<= x[0:64, 64:96]
        compare_scalar(mask, row, 0.0, CompareMode.GT)
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-short: `mask` [64,4] holds 2048 bits, and select() chooses 4096 elements of `ub` [64,64]
        y[0:64, 0:64] <<= ub
    return y
