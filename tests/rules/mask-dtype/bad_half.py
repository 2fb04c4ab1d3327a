"""One number for each element."""
from easyasc.a2 import *


@kernel(mode="vec")
def work(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:64]
        compare_scalar(mask, t, 0.0, CompareMode.GT)  #~ ERROR mask-dtype: compare_scalar() works on a packed mask of uint8 or int8; `mask` is half
        select(t, mask, t, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR mask-dtype: select() works on a packed mask
        y[0:64, 0:64] <<= t
    return y
