"""The tile is filled and never loaded."""
from easyasc.a2 import *


@kernel(mode="cube")
def two_tiles(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        bar_mte2()
        weights <<= b[0:64, 0:64]
        matmul(product, rows, weights)
        y[0:64, 0:64] <<= product
    return y
