"""A ring that only the vector unit uses needs no mutex; an event orders store and load."""
from ascriptor.a2 import *


@kernel(mode="vec")
def transpose_blocks(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile_in = DBuff(f32, [64, 64], Position.UB)
    tile_out = DBuff(f32, [64, 64], Position.UB)
    ring = split_workspace(f32, [GetVecNum(), 2, 64, 64])
    stored = SEvent(Pipe.MTE3, Pipe.MTE2)
    beat = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum()):
            row = tile * 64
            tile_in[beat] <<= x[row:row + 64, 0:64]
            exp(tile_in[beat], tile_in[beat])
            ring[GetVecIdx(), beat % 2, 0:64, 0:64] <<= tile_in[beat]
            stored.set()
            stored.wait()
            tile_out[beat] <<= ring[GetVecIdx(), beat % 2, 0:64, 0:64]
            ln(tile_out[beat], tile_out[beat])
            y[row:row + 64, 0:64] <<= tile_out[beat]
            beat += 1
    return y
