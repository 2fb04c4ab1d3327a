"""The comparison into the mask has been loaded over by the time of the second select."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_loaded_over(x: GMTensor, flags: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 64], Position.UB)
    u <<= x[0:8, 0:64]
    bar_all()
    compare_scalar(keep, u, 0.5, CompareMode.GT)
    bar_all()
    select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
    bar_all()
    keep <<= flags[0:8, 0:64]
    bar_all()
    select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-expanded
    bar_all()
    y[0:8, 0:64] <<= u
    return y
