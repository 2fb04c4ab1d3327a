"""A tensor of one block per row, with packed scalars in it."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_block_rows(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    n = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        dup(n, 0.0, count=512)
        cadd(n, u)
        div(u, u, n)  #~ ERROR scalars-unbroadcast: takes `src2` `n` [64,8]
        y[0:64, 0:64] <<= u
    return y
