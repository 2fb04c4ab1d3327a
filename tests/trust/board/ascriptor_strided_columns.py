# A view whose second slice is not its last dimension: the compiler refuses `<<=` of it.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def third_of_each(x: GM[f32, (2, 64, 8, 16)], y: GM[f32, (64, 8)]):
    tile = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x[0, 0:64, 0:8, 3]  #~ ERROR gm-slice-rank: the columns of `x[0, 0:64, 0:8, 3]` are 16 elements apart
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def one_of_one(x: GM[f32, (2, 64, 8, 1)], y: GM[f32, (64, 8)]):
    tile = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x[0, 0:64, 0:8, 0]
        y <<= tile
    return y
