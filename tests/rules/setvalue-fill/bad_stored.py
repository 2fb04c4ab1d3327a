"""The filled view is stored as it is."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_stored(x: GMTensor, y: GMTensor):
    row = Tensor(DT.float, [1, 64], Position.UB)
    one = Var(1.0)
    one.SetValueTo(row[0:1, 0:8])  #~ ERROR setvalue-fill: 1 of 8 elements
    bar_all()
    y[0:1, 0:8] <<= row[0:1, 0:8]
    return y
