"""The mask as an operand."""
from easyasc.a2 import *


@kernel(mode="vec")
def positive(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    flags = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        compare_scalar(flags, ub, 0.0, CompareMode.GT)
        bar_v()
        select(ub, flags, ub, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= ub
    return y
