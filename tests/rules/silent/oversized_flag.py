"""A control tensor larger than its packed bits."""
from easyasc.a2 import *


@kernel(mode="vec")
def oversized_flag(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 256], Position.UB)
    flag = Tensor(DT.uint8, [1, 256], Position.UB)
    with auto_sync():
        ub <<= x[0:1, 0:256]
        compare_scalar(flag, ub, 0.0, CompareMode.GT)
        select(ub, flag, ub, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:1, 0:256] <<= ub
    return y
