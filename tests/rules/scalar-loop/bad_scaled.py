#~ pedantic
"""Each element of a row is read, multiplied and written on its own."""
from easyasc.a2 import *

COLUMNS = 256


# a2lint: launch(x=float[40, 256], y=float[40, 256])
@kernel(mode="vec")
def halves(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, COLUMNS], Position.UB)
    result = Tensor(DT.float, [1, COLUMNS], Position.UB)
    lane = GetVecIdx()
    value = Var(0.0, DT.float)
    scaled = Var(0.0, DT.float)
    row <<= x[lane:lane + 1, 0:COLUMNS]
    bar_all()
    for column in range(0, COLUMNS):
        value.GetValueFrom(row[0:1, column:column + 1])
        scaled <<= value * 0.5
        scaled.SetValueTo(result[0:1, column:column + 1])  #~ INFO scalar-loop: one muls() saves
    bar_all()
    y[lane:lane + 1, 0:COLUMNS] <<= result
    return y
