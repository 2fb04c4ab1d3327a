# int is added atomically.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def add_up(x: GM[i32, (8, 64)], y: GM[i32, (8, 64)]):
    u = Tensor(i32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x
        with atomic_add():
            y <<= u
    return y
