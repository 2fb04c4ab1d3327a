# Rows of 48 bytes land on 64: the first tile runs over the second, and the interpreter keeps them apart.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def twelve_floats(x: GM[f32, (16, 12)], y: GM[f32, (16, 12)]):
    left = Tensor(f32, [16, 12], Position.UB)
    right = Tensor(f32, [16, 12], Position.UB)
    with auto_sync():
        left <<= x  #~ ERROR operand-overrun: writes 64 elements past the end of `left` [16,12], over `right`
        right <<= x  #~ ERROR operand-overrun: writes 64 elements past the end
        add(left, left, right)
        y <<= left  #~ ERROR operand-overrun: reads 48 elements past the end
    return y


@kernel(mode="vec", block_dim=1)
def sixteen_floats(x: GM[f32, (16, 12)], y: GM[f32, (16, 12)]):
    left = Tensor(f32, [16, 16], Position.UB)
    right = Tensor(f32, [16, 16], Position.UB)
    with auto_sync():
        left[0:16, 0:12] <<= x
        right[0:16, 0:12] <<= x
        add(left, left, right)
        y <<= left[0:16, 0:12]
    return y
