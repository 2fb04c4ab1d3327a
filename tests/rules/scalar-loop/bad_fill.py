#~ pedantic
"""A row is filled element by element."""
from easyasc.a2 import *

COLUMNS = 256


# a2lint: launch(x=float[40, 256], y=float[40, 256], bound=0.5)
@kernel(mode="vec")
def bounded(x: GMTensor, y: GMTensor, bound: Var):
    row = Tensor(DT.float, [1, COLUMNS], Position.UB)
    bounds = Tensor(DT.float, [1, COLUMNS], Position.UB)
    lane = GetVecIdx()
    value = Var(bound, DT.float)
    ready = SEvent(Pipe.S, Pipe.V)
    for column in range(0, COLUMNS):
        value.SetValueTo(bounds[0:1, column:column + 1])  #~ INFO scalar-loop: one dup() saves
    ready.set()
    with auto_sync():
        row <<= x[lane:lane + 1, 0:COLUMNS]
        ready.wait()
        vmin(row, row, bounds)
        y[lane:lane + 1, 0:COLUMNS] <<= row
    return y
