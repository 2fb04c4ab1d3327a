"""Which rows are written is decided at run time: the spill may do no harm."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_guarded(x: GMTensor, y: GMTensor, n: Var):
    u = Tensor(DT.float, [64, 32], Position.UB)
    columns = Tensor(DT.float, [1, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 4], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:32]
        dup(columns, 1.0)
        dup(keep.reinterpret(DT.int), 0)
        for r in range(63):
            if r < n:
                compare_scalar(keep[r:r + 1, 0:4], columns, r, CompareMode.LE)  #~ WARNING mask-rows
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:32] <<= u
    return y
