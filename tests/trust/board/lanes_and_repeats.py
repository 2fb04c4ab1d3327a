# A repeat has 64 lanes of float, an instruction 255 repeats, and rows of one block get block stride 0.
from easyasc.a2 import *


@kernel(mode="vec")
def lanes(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 128], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:128]
        muls(tile, tile, 2.0, count_per_rep=128)  #~ ERROR count-modes: which has 64
        y[0:8, 0:128] <<= tile
    return y


@kernel(mode="vec")
def repeats(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [128, 128], Position.UB)
    with auto_sync():
        tile <<= x[0:128, 0:128]
        muls(tile, tile, 2.0)  #~ ERROR repeat-range: takes 256 repeats
        y[0:128, 0:128] <<= tile
    return y


@kernel(mode="vec")
def small_tile(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 8], Position.UB)
    out = Tensor(DT.float, [8, 8], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:8]
        exp(out, tile)  #~ ERROR narrow-destination: reaches 8 of 64 elements of its `dst`
        y[0:8, 0:8] <<= out
    return y


@kernel(mode="vec")
def broadcast(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 64], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        row <<= x[0:1, 0:64]
        brcb(wide, row, 1, 8, repeat=64)  #~ ERROR operand-overrun: (repeat 64)
        y[0:64, 0:8] <<= wide
    return y


@kernel(mode="vec")
def short_scratch(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    sums = Tensor(DT.float, [1, 8], Position.UB)
    inverse = Tensor(DT.float, [1, 8], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        cadd(sums, tile)
        rec(inverse, sums, repeat=1, dst_blk_stride=1, src_blk_stride=1, dst_rep_stride=8, src_rep_stride=8)  #~ ERROR operand-overrun: past the end of `inverse`
        y[0:1, 0:8] <<= inverse
    return y


@kernel(mode="vec")
def within(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 128], Position.UB)
    row = Tensor(DT.float, [1, 64], Position.UB)
    wide = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        tile <<= x[0:64, 0:128]
        muls(tile, tile, 2.0)
        exp(tile[0:64, 0:64], tile[0:64, 0:64])
        cadd(row, tile[0:64, 0:64])
        brcb(wide, row, 1, 8, repeat=8)
        y[0:64, 0:128] <<= tile
        y[64:128, 0:8] <<= wide
    return y
