# Sixteen rows of 16 bytes stand on 16 blocks of 32; 64 consecutive floats are the first eight of them and their padding.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def dense(x: GM[f32, (16, 4)], y: GM[f32, (16, 4)]):
    rows = Tensor(f32, [16, 8], Position.UB)
    with auto_sync():
        dup(rows, 0.0, count=128)
        rows[0:16, 0:4] <<= x
        muls(rows, rows, 2.0, count=64)  #~ WARNING padded-rows: takes 64 elements
        y <<= rows[0:16, 0:4]
    return y


@kernel(mode="vec", block_dim=1)
def with_padding(x: GM[f32, (16, 4)], y: GM[f32, (16, 4)]):
    rows = Tensor(f32, [16, 8], Position.UB)
    with auto_sync():
        dup(rows, 0.0, count=128)
        rows[0:16, 0:4] <<= x
        muls(rows, rows, 2.0, count=128)
        y <<= rows[0:16, 0:4]
    return y
