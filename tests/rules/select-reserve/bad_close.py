#~ pedantic
"""The reserve is short by little."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_close(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    rest = Tensor(DT.float, [675, 64], Position.UB)
    with auto_sync():
        rest <<= x[0:675, 0:64]
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)  #~ WARNING select-reserve: the kernel leaves 6912
        y[0:64, 0:64] <<= u
        y[64:739, 0:64] <<= rest
    return y
