#~ pedantic
"""Two integer tensors."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    u = Tensor(DT.int, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        u <<= x[64:128, 0:64]
        t <<= x[0:64, 0:64]
        compare(mask, t, u, CompareMode.GE)  #~ WARNING int-compare-mode: compare() of int elements with GE
        select(t, mask, t, 0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= t
    return y
