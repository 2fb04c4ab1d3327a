# A number between two slices: `<<=` takes the rows as adjacent, and the interpreter moves the right ones.
from ascriptor.a2 import *

HEADS = 8


@kernel(mode="vec", block_dim=1)
def store(x: GM[f32, (32, 32)], y: GM[f32, (32, HEADS, 32)]):
    tile = Tensor(f32, [32, 32], Position.UB)
    with auto_sync():
        tile <<= x
        for head in range(0, HEADS):
            y[0:32, head, 0:32] <<= tile  #~ ERROR gm-slice-rank: 256 elements apart, and `<<=` moves rows that are 32 apart
    return y


@kernel(mode="vec", block_dim=1)
def given(x: GM[f32, (32, 32)], y: GM[f32, (32, HEADS, 32)]):
    tile = Tensor(f32, [32, 32], Position.UB)
    with auto_sync():
        tile <<= x
        for head in range(0, HEADS):
            ub_to_gm_pad(y[0:32, head, 0:32], tile, n_burst=32, burst_len_element=32, src_stride=0, dst_stride_element=(HEADS - 1) * 32)
    return y


@kernel(mode="vec", block_dim=1)
def neighbours(x: GM[f32, (32, 32)], y: GM[f32, (HEADS, 32, 32)]):
    tile = Tensor(f32, [32, 32], Position.UB)
    with auto_sync():
        tile <<= x
        for head in range(0, HEADS):
            y[head, 0:32, 0:32] <<= tile
    return y


@kernel(mode="vec", block_dim=1)
def one_row(x: GM[f32, (1, 32)], y: GM[f32, (1, HEADS, 32)]):
    tile = Tensor(f32, [1, 32], Position.UB)
    with auto_sync():
        tile <<= x
        for head in range(0, HEADS):
            y[0:1, head, 0:32] <<= tile
    return y
