"""The instructions take 16-bit types."""
from ascriptor.a2 import *


@kernel(mode="vec")
def bits(x: GM[i32, (64, 64)], y: GM[i32, (64, 64)]):
    ub = Tensor(i32, [64, 64], Position.UB)
    ones = Tensor(i32, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x
        dup(ones, 255)
        vand(ub, ub, ones)  #~ ERROR op-dtype: vand
        y[0:64, 0:64] <<= ub
    return y
