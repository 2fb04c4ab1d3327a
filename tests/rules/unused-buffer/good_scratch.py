"""Scratch of an instruction, and a tensor that unknown code gets."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    work = Tensor(DT.uint8, [1, 8192], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR, tmp_addr_buf=work)
        y[0:64, 0:64] <<= ub
    return y
