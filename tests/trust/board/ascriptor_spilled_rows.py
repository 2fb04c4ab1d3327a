# Rows are stored and loaded back, and stored twice: 5 of 5 runs on a device were wrong without a barrier of MTE3.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def at_once(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    again = Tensor(f32, [8, 64], Position.UB)
    ws = split_workspace(f32, [8, 64])
    with auto_sync():
        tile <<= x
        ws[0:8, 0:64] <<= tile
        again <<= ws[0:8, 0:64]  #~ ERROR race: nothing orders MTE3→MTE2
        y <<= again
    return y


@kernel(mode="vec", block_dim=1)
def two_stores(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    twice = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        muls(twice, tile, 2.0)
        y <<= tile
        y[0:4, :] <<= twice[0:4, 0:64]  #~ ERROR race: no bar_mte3 orders them
    return y


@kernel(mode="vec", block_dim=1)
def a_barrier_between(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    twice = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        muls(twice, tile, 2.0)
        y <<= tile
        bar_mte3()
        y[0:4, :] <<= twice[0:4, 0:64]
    return y


@kernel(mode="vec", block_dim=1)
def apart(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    twice = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x
        muls(twice, tile, 2.0)
        y[4:8, :] <<= tile[4:8, 0:64]
        y[0:4, :] <<= twice[0:4, 0:64]
    return y
