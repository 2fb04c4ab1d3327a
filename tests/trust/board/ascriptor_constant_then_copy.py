# A fill and a partial load of one tile with bar_mte2 between them: 3 of 4 runs on a device were wrong all the same.
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


@kernel(mode="cube", block_dim=1)
def two_tiles(a: GM[f16, (64, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        bar_mte2()
        weights <<= b
        matmul(product, rows, weights)
        y <<= product
    return y


@kernel(mode="cube", block_dim=1)
def all_pipes_between(a: GM[f16, (64, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        bar_all()
        rows[0:48, 0:64] <<= a[0:48, 0:64]
        weights <<= b
        matmul(product, rows, weights)
        y <<= product
    return y


@kernel(mode="cube", block_dim=1)
def other_slot(a: GM[f16, (64, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    rows = DBuff(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows[0], 0.0)
        bar_mte2()
        rows[1] <<= a[0:64, 0:64]
        weights <<= b
        matmul(product, rows[0], weights)
        bar_m()
        matmul(product, rows[1], weights, is_init=False)
        y <<= product
    return y
