# Sixteen rows of 16 bytes stand on 16 blocks of 32; 64 consecutive floats are the first eight of them and their padding.
from easyasc.a2 import *


@kernel(mode="vec")
def dense(x: GMTensor, y: GMTensor):
    rows = Tensor(DT.float, [16, 8], Position.UB)
    with auto_sync():
        rows[0:16, 0:4] <<= x[0:16, 0:4]
        muls(rows, rows, 2.0, count=64)  #~ WARNING padded-rows: takes 64 elements
        y[0:16, 0:4] <<= rows[0:16, 0:4]
    return y


@kernel(mode="vec")
def with_padding(x: GMTensor, y: GMTensor):
    rows = Tensor(DT.float, [16, 8], Position.UB)
    with auto_sync():
        rows[0:16, 0:4] <<= x[0:16, 0:4]
        muls(rows, rows, 2.0, count=128)
        y[0:16, 0:4] <<= rows[0:16, 0:4]
    return y


@kernel(mode="vec")
def whole_blocks(x: GMTensor, y: GMTensor):
    rows = Tensor(DT.float, [8, 8], Position.UB)
    with auto_sync():
        rows <<= x[0:8, 0:8]
        muls(rows, rows, 2.0, count=64)
        y[0:8, 0:8] <<= rows
    return y
