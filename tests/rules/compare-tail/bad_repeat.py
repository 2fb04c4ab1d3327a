"""Too few repeats."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_repeat(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    low = Tensor(DT.float, [64, 64], Position.UB)
    w = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        dup(low, 0.0)
        compare(keep, u, low, CompareMode.GT, repeat=60)
        select(w, keep, u, low, SelectMode.TENSOR_TENSOR)  #~ ERROR compare-tail: 256 of them
        y[0:64, 0:64] <<= w
    return y
