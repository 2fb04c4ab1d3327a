"""A diagonal set byte by byte."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_stored(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 64], Position.UB)
    one = Var(1)
    dup(mask.reinterpret(DT.int), 0)
    bar_all()
    for i in range(64):
        one.SetValueTo(mask[i:i + 1, i:i + 1])
    bar_all()
    with auto_sync():
        ub <<= x[0:64, 0:64]
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-expanded
        y[0:64, 0:64] <<= ub
    return y
