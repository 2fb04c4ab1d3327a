"""Whole tensors."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    bits = Tensor(DT.uint8, [64, 16], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        dup(bits.reinterpret(DT.int), 0)
        select(ub, bits, ub, 0.0, SelectMode.TENSOR_SCALAR)
        exp(ub.reinterpret(DT.float), ub)
        y[0:64, 0:64] <<= ub
    return y
