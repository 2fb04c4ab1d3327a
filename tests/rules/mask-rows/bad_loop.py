"""A row of 32 bits takes 64."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_loop(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 32], Position.UB)
    columns = Tensor(DT.float, [1, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 4], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:32]
        dup(columns, 1.0)
        for r in range(64):
            compare_scalar(keep[r:r + 1, 0:4], columns, r, CompareMode.LE)  #~ ERROR mask-rows: writes 8 bytes into `keep[r:r + 1, 0:4]` [1,4], whose rows hold 4
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:32] <<= u
    return y
