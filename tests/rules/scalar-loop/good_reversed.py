#~ pedantic
"""Elements change their order: no vector instruction does that."""
from easyasc.a2 import *

COLUMNS = 128


# a2lint: launch(x=float[40, 128], y=float[40, 128])
@kernel(mode="vec")
def backwards(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, COLUMNS], Position.UB)
    result = Tensor(DT.float, [1, COLUMNS], Position.UB)
    lane = GetVecIdx()
    value = Var(0.0, DT.float)
    row <<= x[lane:lane + 1, 0:COLUMNS]
    bar_all()
    for column in range(0, COLUMNS):
        opposite = COLUMNS - 1 - column
        value.GetValueFrom(row[0:1, opposite:opposite + 1])
        value.SetValueTo(result[0:1, column:column + 1])
    bar_all()
    y[lane:lane + 1, 0:COLUMNS] <<= result
    return y
