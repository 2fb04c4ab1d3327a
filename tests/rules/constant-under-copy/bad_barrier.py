"""A barrier of MTE2 did not help on a board."""
from easyasc.a2 import *


@kernel(mode="cube")
def under_a_barrier(a: GMTensor, b: GMTensor, y: GMTensor):
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        bar_mte2()
        rows[0:48, 0:64] <<= a[0:48, 0:64]  #~ WARNING constant-under-copy: 3 of 4 runs
        weights <<= b[0:64, 0:64]
        matmul(product, rows, weights)
        y[0:64, 0:64] <<= product
    return y
