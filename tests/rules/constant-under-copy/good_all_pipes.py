"""Whether this helps was not measured: no finding."""
from easyasc.a2 import *


@kernel(mode="cube")
def all_pipes_between(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        bar_all()
        rows[0:48, 0:64] <<= a[0:48, 0:64]
        weights <<= b[0:64, 0:64]
        matmul(product, rows, weights)
        y[0:64, 0:64] <<= product
    return y
