"""A kernel for another device is named, not checked."""
#~ NOT-ANALYSED
from ascriptor.a5 import *


@kernel()
def registers(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    tile <<= x
    y[0:64, 0:64] <<= tile
    return y
