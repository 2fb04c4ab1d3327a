# One tile is loaded and stored in a loop: under load, 23 of 32 processes drifted until both ways were ordered.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def one_way(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    for i in range(0, M // 8):
        tile <<= x[i * 8:i * 8 + 8, :]  #~ WARNING race: nothing orders MTE3→MTE2
        loaded.set()
        loaded.wait()
        y[i * 8:i * 8 + 8, :] <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def both_ways(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for i in range(0, M // 8):
        stored.wait()
        tile <<= x[i * 8:i * 8 + 8, :]
        loaded.set()
        loaded.wait()
        y[i * 8:i * 8 + 8, :] <<= tile
        stored.set()
    return y
