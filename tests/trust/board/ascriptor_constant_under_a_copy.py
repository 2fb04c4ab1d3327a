# A tile of L1 is filled and then loaded in part: both run on MTE2, and the fill may land last.
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def at_once(a: GM[f16, (48, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        rows[0:48, 0:64] <<= a  #~ ERROR race: no bar_mte2 orders them
        weights <<= b
        matmul(product, rows, weights)
        y <<= product
    return y


@kernel(mode="cube", block_dim=1)
def filled_alone(a: GM[f16, (48, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(rows, 0.0)
        weights <<= b
        matmul(product, rows, weights)
        y <<= product
    return y
