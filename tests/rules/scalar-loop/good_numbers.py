#~ pedantic
"""Each element is another number."""
from easyasc.a2 import *

COLUMNS = 512


# a2lint: launch(x=float[40, 512], y=float[40, 512])
@kernel(mode="vec")
def ramp(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, COLUMNS], Position.UB)
    steps = Tensor(DT.float, [1, COLUMNS], Position.UB)
    lane = GetVecIdx()
    value = Var(0.0, DT.float)
    for column in range(0, COLUMNS):
        value.SetValueTo(steps[0:1, column:column + 1])
        value <<= value + 0.5
    bar_all()
    with auto_sync():
        row <<= x[lane:lane + 1, 0:COLUMNS]
        add(row, row, steps)
        y[lane:lane + 1, 0:COLUMNS] <<= row
    return y
