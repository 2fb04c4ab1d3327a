"""One store for a row of 64."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_row(x: GMTensor, y: GMTensor, scale: Var):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    row = Tensor(DT.float, [1, 64], Position.UB)
    out = Tensor(DT.float, [1, 64], Position.UB)
    scale.SetValueTo(row)  #~ WARNING setvalue-fill: SetValueTo() writes 1 of 64 elements of `row` [1,64]
    bar_all()
    with auto_sync():
        ub <<= x[0:1, 0:64]
        mul(out, ub, row)
        y[0:1, 0:64] <<= out
    return y
