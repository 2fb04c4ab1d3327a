"""A ring whose columns end with the tensor."""
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, M: Var):
    rest = Var(0)
    rest <<= M - 128
    with auto_sync():
        cols = Min(128, rest)
        ub = DBuff(DT.float, [16, cols], Position.UB)  #~ WARNING local-tail-shape: it has Min(128, M - 128) columns
        ub[0] <<= x[0:16, 0:cols]
        y[0:16, 0:cols] <<= ub[0]
    return y
