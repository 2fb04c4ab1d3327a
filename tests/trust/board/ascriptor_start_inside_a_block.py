# An operand starts 16 bytes inside of a block: the interpreter executes it, the device ends with 507015.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def shifted(x: GM[f32, (1, 128)], y: GM[f32, (1, 32)]):
    row = Tensor(f32, [1, 128], Position.UB)
    out = Tensor(f32, [1, 32], Position.UB)
    with auto_sync():
        row <<= x
        adds(out, row[0:1, 4:36], 1.0, count=32)  #~ ERROR operand-alignment: starts 16 bytes past a 32-byte border
        y <<= out
    return y


@kernel(mode="vec", block_dim=1)
def by_a_block(x: GM[f32, (1, 128)], y: GM[f32, (1, 32)]):
    row = Tensor(f32, [1, 128], Position.UB)
    out = Tensor(f32, [1, 32], Position.UB)
    with auto_sync():
        row <<= x
        adds(out, row[0:1, 8:40], 1.0, count=32)
        y <<= out
    return y


@kernel(mode="vec", block_dim=1)
def shifted_load(x: GM[f32, (1, 128)], y: GM[f32, (1, 32)]):
    row = Tensor(f32, [1, 32], Position.UB)
    out = Tensor(f32, [1, 32], Position.UB)
    with auto_sync():
        row <<= x[0:1, 4:36]
        adds(out, row, 1.0, count=32)
        y <<= out
    return y
