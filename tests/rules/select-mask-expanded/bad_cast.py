"""Zeros and ones converted to bytes are no packed mask."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_cast(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.half, [64, 128], Position.UB)
    keep = Tensor(DT.uint8, [64, 128], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:128]
        cast(keep, ub, round_mode=RoundMode.TRUNC)
        select(ub, keep, ub, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-expanded: 1024 bytes decide 8192 elements
        y[0:64, 0:128] <<= ub
    return y
