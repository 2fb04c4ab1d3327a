"""Half of the bits are undefined."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_half_compared(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u[0:32, 0:64], 0.0, CompareMode.GT)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR compare-tail: select() consumes 4096 bits of `keep` [64,8], and 2048 of them come from no comparison
        y[0:64, 0:64] <<= u
    return y
