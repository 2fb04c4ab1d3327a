#~ pedantic
"""A part of one row is copied into another one, element by element."""
from easyasc.a2 import *

COLUMNS = 256


# a2lint: launch(x=float[40, 512], y=float[40, 256])
@kernel(mode="vec")
def middle(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 2 * COLUMNS], Position.UB)
    result = Tensor(DT.float, [1, COLUMNS], Position.UB)
    lane = GetVecIdx()
    value = Var(0.0, DT.float)
    row <<= x[lane:lane + 1, 0:2 * COLUMNS]
    bar_all()
    for column in range(0, COLUMNS):
        value.GetValueFrom(row[0:1, column + 128:column + 129])
        value.SetValueTo(result[0:1, column:column + 1])  #~ INFO scalar-loop: one ub_to_ub() saves
    bar_all()
    y[lane:lane + 1, 0:COLUMNS] <<= result
    return y
