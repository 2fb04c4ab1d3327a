# Tokens that one lane alone hands over, that are set in each iteration, and the same with their waits.
from ascriptor.a2 import *


@kernel(block_dim=1)
def one_lane_alone(x: GM[f16, (64, 64)], b: GM[f16, (64, 64)], c: GM[f32, (64, 64)]):
    part = Tensor(f16, [64, 64], Position.UB)
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    ws = split_workspace(f16, [64, 64])
    with auto_sync():
        if GetSubBlockIdx() == 0:
            part <<= x
            ws[0:64, 0:64] <<= part
            vec_ready(0)  #~ ERROR one-lane-token: only vec0 reaches
        wait_vec(0)
        rows <<= ws[0:64, 0:64]
        weights <<= b
        matmul(product, rows, weights)
        c <<= product
    return c


@kernel(block_dim=1)
def both_lanes(x: GM[f16, (64, 64)], b: GM[f16, (64, 64)], c: GM[f32, (64, 64)]):
    part = Tensor(f16, [64, 64], Position.UB)
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    ws = split_workspace(f16, [64, 64])
    with auto_sync():
        if GetSubBlockIdx() == 0:
            part <<= x
            ws[0:64, 0:64] <<= part
        vec_ready(0)
        wait_vec(0)
        rows <<= ws[0:64, 0:64]
        weights <<= b
        matmul(product, rows, weights)
        c <<= product
    return c


@kernel(mode="vec", block_dim=1)
def set_each_time(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    ready = SEvent(Pipe.V, Pipe.MTE3)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    tile <<= x
    loaded.set()
    loaded.wait()
    for i in range(0, 4):
        muls(tile, tile, 2.0)
        ready.set()  #~ ERROR event-unbalanced: more often than it is waited for
    ready.wait()
    y <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def set_once(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    tile = Tensor(f32, [8, 64], Position.UB)
    ready = SEvent(Pipe.V, Pipe.MTE3)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    tile <<= x
    loaded.set()
    loaded.wait()
    for i in range(0, 4):
        muls(tile, tile, 2.0)
    ready.set()
    ready.wait()
    y <<= tile
    return y
