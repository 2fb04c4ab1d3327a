"""The load goes into the other slot."""
from easyasc.a2 import *


@kernel(mode="cube")
def other_slot(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows[0], 0.0)
        bar_mte2()
        rows[1] <<= a[0:64, 0:64]
        weights <<= b[0:64, 0:64]
        matmul(product, rows[0], weights)
        bar_m()
        matmul(product, rows[1], weights, is_init=False)
        y[0:64, 0:64] <<= product
    return y
