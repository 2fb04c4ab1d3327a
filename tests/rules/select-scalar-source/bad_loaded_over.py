"""The fill is gone: a load has replaced it."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_loaded_over(x: GMTensor, z: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    other = Tensor(DT.float, [8, 64], Position.UB)
    keep = Tensor(DT.uint8, [8, 8], Position.UB)
    u <<= x[0:8, 0:64]
    dup(other, 0.0)
    bar_all()
    compare_scalar(keep, u, 0.5, CompareMode.GT)
    other <<= z[0:8, 0:64]
    bar_all()
    select(u, keep, u, other, SelectMode.TENSOR_SCALAR)  #~ ERROR select-scalar-source
    bar_all()
    y[0:8, 0:64] <<= u
    return y
