# A number is read from UB outside of every auto_sync() region: its load may still be running.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def outside(x: GM[f32, (8, 64)], g: GM[f32, (1, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    gains = Tensor(f32, [1, 64], Position.UB)
    gain = Var(0.0)
    with auto_sync():
        tile <<= x
    gains <<= g
    gain.GetValueFrom(gains)  #~ WARNING scalar-hazard: nothing orders MTE2→S
    with auto_sync():
        muls(tile, tile, gain)
        y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def inside(x: GM[f32, (8, 64)], g: GM[f32, (1, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    gains = Tensor(f32, [1, 64], Position.UB)
    gain = Var(0.0)
    with auto_sync():
        tile <<= x
        gains <<= g
        gain.GetValueFrom(gains)
        muls(tile, tile, gain)
        y <<= tile
    return y
