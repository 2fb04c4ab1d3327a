"""A choice between tensors, in place."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_select(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    w = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        compare_scalar(keep, u, 0.0, CompareMode.GT)
        dup(w, 0.0)
        select(u, keep, u, w, SelectMode.TENSOR_TENSOR)  #~ WARNING partial-overlap: select() cannot work in place
        y[0:64, 0:64] <<= u
    return y
