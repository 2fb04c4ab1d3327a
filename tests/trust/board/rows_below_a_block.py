# Rows shorter than 32 bytes, or no multiple of them, land on whole blocks: tiles that are dense hold other elements.
from easyasc.a2 import *


@kernel(mode="vec")
def four_floats(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [16, 4], Position.UB)
    with auto_sync():
        tile <<= x[0:16, 0:4]  #~ ERROR ub-to-ub-scalar: writes 512 bytes
        muls(tile, tile, 2.0)
        y[0:16, 0:4] <<= tile  #~ ERROR ub-to-ub-scalar: takes 512 bytes
    return y


@kernel(mode="vec")
def most_of_128(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 126], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:126]  #~ ERROR operand-overrun: writes 16 elements past the end
        muls(tile, tile, 2.0)  #~ ERROR operand-overrun: writes 16 elements past the end
        y[0:8, 0:126] <<= tile  #~ ERROR operand-overrun: reads 14 elements past the end
    return y


@kernel(mode="vec")
def whole_blocks(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 128], Position.UB)
    with auto_sync():
        tile[0:8, 0:126] <<= x[0:8, 0:126]
        muls(tile, tile, 2.0)
        y[0:8, 0:126] <<= tile[0:8, 0:126]
    return y


@kernel(mode="vec")
def part_of_a_block(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [16, 8], Position.UB)
    with auto_sync():
        tile[0:16, 0:4] <<= x[0:16, 0:4]
        y[0:16, 0:4] <<= tile[0:16, 0:4]
    return y
