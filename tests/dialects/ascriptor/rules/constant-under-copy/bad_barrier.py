"""A barrier of MTE2 did not help on a board."""
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def under_a_barrier(a: GM[f16, (64, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        bar_mte2()
        rows[0:48, 0:64] <<= a[0:48, 0:64]  #~ WARNING constant-under-copy: 3 of 4 runs
        weights <<= b
        matmul(product, rows, weights)
        y <<= product
    return y
