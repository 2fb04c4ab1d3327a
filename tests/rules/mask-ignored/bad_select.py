"""A select under a prefix mask chooses in all lanes."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_select(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        set_mask(0, 0xFF)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)  #~ WARNING mask-ignored: select() works on all lanes
        reset_mask()
        y[0:64, 0:64] <<= u
    return y
