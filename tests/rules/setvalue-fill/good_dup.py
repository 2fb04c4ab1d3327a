"""A row filled with dup; a store of the one element that is written."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_dup(x: GMTensor, y: GMTensor, scale: Var):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    row = Tensor(DT.float, [1, 64], Position.UB)
    one = Tensor(DT.float, [1, 8], Position.UB)
    scale.SetValueTo(one)
    bar_all()
    with auto_sync():
        dup(row, scale)
        ub <<= x[0:1, 0:64]
        mul(ub, ub, row)
        y[0:1, 0:64] <<= ub
        y[1:2, 0:1] <<= one[0:1, 0:1]
    return y
