# Vector instructions that depend on each other: the compiler puts the barrier, also outside of auto_sync().
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def at_once(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    twice = Tensor(f32, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    scaled = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x
    loaded.set()
    loaded.wait()
    muls(twice, tile, 2.0)
    adds(twice, twice, 1.0)
    scaled.set()
    scaled.wait()
    y <<= twice
    return y


@kernel(mode="vec", block_dim=1)
def not_after_a_load(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    twice = Tensor(f32, [8, 64], Position.UB)
    scaled = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x
    muls(twice, tile, 2.0)  #~ ERROR race
    adds(twice, twice, 1.0)
    scaled.set()
    scaled.wait()
    y <<= twice
    return y
