# Tensors as large as the largest case that their kernel is written for: a size that nobody asks for breaks nothing
from ascriptor.a2 import *


#~ VERDICT planes.bounds: open
@kernel(mode="vec", block_dim=1)
def planes(x: GM[f32, (1024, 64)], y: GM[f32, (1024, 64)], count: i32):
    tile = Tensor(DT.float, [512, 64], Position.UB)
    with auto_sync():
        for n in range(count):
            tile <<= x[n * 512:n * 512 + 512, :]
            y[n * 512:n * 512 + 512, :] <<= tile
    return y
