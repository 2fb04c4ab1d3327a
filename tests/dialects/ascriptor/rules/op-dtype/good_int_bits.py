"""The same bits as pairs of 16."""
from ascriptor.a2 import *


@kernel(mode="vec")
def bits(x: GM[i32, (64, 64)], y: GM[i32, (64, 64)]):
    ub = Tensor(i32, [64, 64], Position.UB)
    ones = Tensor(i32, [1, 64], Position.UB)
    with auto_sync():
        ub <<= x
        dup(ones, 255)
        vand(ub.reinterpret(u16), ub.reinterpret(u16), ones.reinterpret(u16))
        y[0:64, 0:64] <<= ub
    return y
