# A launch of vec cores alone that loads L1: the device ends it with 507035.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def warm(x: GM[f16, (64, 64)], y: GM[f16, (64, 64)]):
    matrix = Tensor(f16, [64, 64], Position.L1)  #~ WARNING unused-buffer: never read
    tile = Tensor(f16, [64, 64], Position.UB)
    with auto_sync():
        matrix <<= x  #~ ERROR wrong-side: stands in a kernel of mode="vec"
        tile <<= x
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def copy(x: GM[f16, (64, 64)], y: GM[f16, (64, 64)]):
    tile = Tensor(f16, [64, 64], Position.UB)
    with auto_sync():
        tile <<= x
        y <<= tile
    return y
