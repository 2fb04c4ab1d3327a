# memory adds six types of elements; unsigned ones are not among them.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def add_up(x: GM[u32, (8, 64)], y: GM[u32, (8, 64)]):
    u = Tensor(u32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x
        with atomic_add():
            y <<= u  #~ ERROR trace-error: cannot store uint32 elements atomically
    return y
