"""Packed masks, reduction results and scalar accesses start anywhere."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_exceptions(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [4, 64], Position.UB)
    bits = Tensor(DT.uint8, [4, 8], Position.UB)
    sums = Tensor(DT.float, [1, 64], Position.UB)
    total = Var(0.0)
    with auto_sync():
        ub <<= x[0:4, 0:64]
        dup(sums, 0.0)
        for r in unroll(4):
            compare_scalar(bits[r:r + 1, 0:8], ub[r:r + 1, 0:64], 0.0, CompareMode.GT)
            select(ub[r:r + 1, 0:64], bits[r:r + 1, 0:8], ub[r:r + 1, 0:64], 0.0, SelectMode.TENSOR_SCALAR)
            cadd(sums[0:1, r:r + 1], ub[r:r + 1, 0:64])
        bar_all()
        total.GetValueFrom(sums[0:1, 3:4])
        total.SetValueTo(sums[0:1, 5:6])
        y[0:1, 0:64] <<= sums
    return y
