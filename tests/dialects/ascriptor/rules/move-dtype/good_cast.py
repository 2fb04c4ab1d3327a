"""The load keeps the type, and a cast converts; L0C converts on its way out."""
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def load(x: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    half = Tensor(f16, [64, 64], Position.UB)
    tile = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        half <<= x
        cast(tile, half)
        y[0:64, 0:64] <<= tile
    return y


@kernel(mode="cube", block_dim=1)
def convert(x: GM[f16, (64, 64)], y: GM[bf16, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1 <<= x
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        y[0:64, 0:64] <<= l0c
    return y
