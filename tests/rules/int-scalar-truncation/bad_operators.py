"""The scalar of an operator, of a fill and of a comparison."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.int, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        t <<= t / 3  #~ WARNING int-scalar-truncation: takes 0.3333333333333333 as 0
        adds(t[0:8, 0:64], t[0:8, 0:64], -1.5)  #~ WARNING int-scalar-truncation: adds() on int elements takes -1.5 as -1
        compare_scalar(mask, t, 2.5, CompareMode.EQ)  #~ WARNING int-scalar-truncation: takes 2.5 as 2
        select(t, mask, t, 7, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= t
    return y
