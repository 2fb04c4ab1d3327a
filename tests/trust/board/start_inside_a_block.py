# An operand starts 16 bytes inside of a block: simulators execute it, the device ends with 507015.
from easyasc.a2 import *


@kernel(mode="vec")
def shifted(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 128], Position.UB)
    out = Tensor(DT.float, [1, 32], Position.UB)
    with auto_sync():
        row <<= x[0:1, 0:128]
        adds(out, row[0:1, 4:36], 1.0, count=32)  #~ ERROR operand-alignment: starts 16 bytes past a 32-byte border
        y[0:1, 0:32] <<= out
    return y


@kernel(mode="vec")
def by_a_block(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 128], Position.UB)
    out = Tensor(DT.float, [1, 32], Position.UB)
    with auto_sync():
        row <<= x[0:1, 0:128]
        adds(out, row[0:1, 8:40], 1.0, count=32)
        y[0:1, 0:32] <<= out
    return y


@kernel(mode="vec")
def shifted_load(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 32], Position.UB)
    out = Tensor(DT.float, [1, 32], Position.UB)
    with auto_sync():
        row <<= x[0:1, 4:36]
        adds(out, row, 1.0, count=32)
        y[0:1, 0:32] <<= out
    return y
