#~ pedantic
"""The work area is passed."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_own_area(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    rest = Tensor(DT.float, [690, 64], Position.UB)
    work = Tensor(DT.uint8, [1, 512], Position.UB)
    with auto_sync():
        rest <<= x[0:690, 0:64]
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR, tmp_addr_buf=work)
        y[0:64, 0:64] <<= u
        y[64:754, 0:64] <<= rest
    return y
