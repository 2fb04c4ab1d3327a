# A tile of L1 is filled and then loaded in part: both run on MTE2, and the fill may land last.
from easyasc.a2 import *


@kernel(mode="cube")
def at_once(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        rows[0:48, 0:64] <<= a[0:48, 0:64]  #~ ERROR race: no bar_mte2 orders them
        weights <<= b[0:64, 0:64]
        matmul(product, rows, weights)
        y[0:64, 0:64] <<= product
    return y


@kernel(mode="cube")
def filled_alone(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        weights <<= b[0:64, 0:64]
        matmul(product, rows, weights)
        y[0:64, 0:64] <<= product
    return y
