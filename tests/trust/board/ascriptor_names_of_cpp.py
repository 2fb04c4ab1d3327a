# Names that C++ keeps for itself: simulators run the kernel, and its generated code does not build.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def scale(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], do: i32):  #~ WARNING kernel-name: `do` is a C++ keyword
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        if do > 0:
            muls(tile, tile, 2.0)
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def switch(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):  #~ WARNING kernel-name: `switch` is a C++ keyword
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def scale_if(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], doit: i32):
    tile = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        if doit > 0:
            muls(tile, tile, 2.0)
        y <<= tile
    return y
