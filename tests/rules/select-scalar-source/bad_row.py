"""A row of per-column fallbacks: likely meant lane by lane."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_row(x: GMTensor, low: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    floor = Tensor(DT.float, [1, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        floor <<= low[0:1, 0:64]
        muls(floor, floor, 0.5)
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, floor, SelectMode.TENSOR_SCALAR)  #~ WARNING select-scalar-source: the other 63 are ignored
        y[0:64, 0:64] <<= ub
    return y
