# A repeat has 64 lanes of float, an instruction 255 repeats, and Brcb makes eight blocks in a repeat.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def lanes(x: GM[f32, (8, 128)], y: GM[f32, (8, 128)]):
    tile = Tensor(f32, [8, 128], Position.UB)
    with auto_sync():
        tile <<= x
        muls(tile, tile, 2.0, count_per_rep=128)  #~ ERROR count-modes: which has 64
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def repeats(x: GM[f32, (128, 128)], y: GM[f32, (128, 128)]):
    tile = Tensor(f32, [128, 128], Position.UB)
    with auto_sync():
        tile <<= x
        muls(tile, tile, 2.0)  #~ ERROR repeat-range: takes 256 repeats
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def small_tile(x: GM[f32, (8, 8)], y: GM[f32, (8, 8)]):
    tile = Tensor(f32, [8, 8], Position.UB)
    out = Tensor(f32, [8, 8], Position.UB)
    with auto_sync():
        tile <<= x
        exp(out, tile)  #~ ERROR narrow-destination: reaches 8 of 64 elements of its `dst`
        y <<= out
    return y


@kernel(mode="vec", block_dim=1)
def broadcast(x: GM[f32, (1, 64)], y: GM[f32, (64, 8)]):
    row = Tensor(f32, [1, 64], Position.UB)
    wide = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        row <<= x
        brcb(wide, row, 1, 8, repeat=64)  #~ ERROR operand-overrun: (repeat 64)
        y <<= wide
    return y


@kernel(mode="vec", block_dim=1)
def within(x: GM[f32, (64, 128)], y: GM[f32, (64, 128)], z: GM[f32, (64, 8)]):
    tile = Tensor(f32, [64, 128], Position.UB)
    row = Tensor(f32, [1, 64], Position.UB)
    wide = Tensor(f32, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x
        muls(tile, tile, 2.0)
        cadd(row, tile[0:64, 0:64])
        brcb(wide, row, 1, 8, repeat=8)
        y <<= tile
        z <<= wide
    return y, z
