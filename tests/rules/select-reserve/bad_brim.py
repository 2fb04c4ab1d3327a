#~ pedantic
"""Half a kilobyte is left."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_brim(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    rest = Tensor(DT.float, [700, 64], Position.UB)
    with auto_sync():
        rest <<= x[0:700, 0:64]
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)  #~ WARNING select-reserve: may want 8192 bytes of UB for itself, and the kernel leaves 512
        y[0:64, 0:64] <<= u
        y[64:764, 0:64] <<= rest
    return y
