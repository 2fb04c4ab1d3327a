# Whole tensors of one row, of one axis and through a parameter of a helper.
#~ VERDICT operands: proved
#~ VERDICT initialised: proved
#~ VERDICT bounds: proved
from ascriptor.a2 import *


@func()
def scaled(dst, src, tile):
    tile <<= src
    muls(tile, tile, 2.0)
    dst <<= tile


@kernel(mode="vec", block_dim=1)
def row(x: GM[f32, (1, 64)], y: GM[f32, (1, 64)]):
    u = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        scaled(y, x, u)
    return y


@kernel(mode="cube", block_dim=1)
def matrix(a: GM[f16, (64, 64)], c: GM[f32, (64, 64)]):
    la = Tensor(f16, [64, 64], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        la <<= a
        matmul(acc, la, la)
        c <<= acc
    return c
