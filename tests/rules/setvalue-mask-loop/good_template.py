#~ pedantic
"""A template of wider elements is not a mask."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_template(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    columns = Tensor(DT.int, [1, 64], Position.UB)
    number = Var(0)
    with auto_sync():
        u <<= x[0:64, 0:64]
        for at in range(0, 64):
            number <<= at
            number.SetValueTo(columns[0:1, at:at + 1])
        bar_all()
        for row in range(0, 64):
            compare_scalar(keep[row:row + 1, 0:8], columns, row, CompareMode.EQ)
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= u
    return y
