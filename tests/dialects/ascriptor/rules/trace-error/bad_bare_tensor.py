"""A tensor says its type and its extents."""
from ascriptor.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GM[f32, (64, 64)]):  #~ ERROR trace-error: E0010
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y
