"""A view of the code around cannot be bound anew in a branch."""
from ascriptor.a2 import *


@kernel(mode="vec")
def rebind(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    part = ub[0:32, :]
    rows = M // 2
    with auto_sync():
        if rows > 16:
            rows = 16  #~ ERROR trace-error: rows
        ub <<= x[0:64, 0:64]
        muls(part, part, 2.0)
        y[0:64, 0:64] <<= ub
    return y
