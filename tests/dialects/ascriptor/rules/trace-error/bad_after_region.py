"""A name that is bound in a branch is gone after it."""
from ascriptor.a2 import *


@kernel(mode="vec")
def after_region(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        if M > 32:
            rows = M - 32
        else:
            rows = M
        ub[0:32, :] <<= x[0:32, 0:64]
        adds(ub, ub, 1.0 * rows)  #~ ERROR trace-error: rows
        y[0:32, 0:64] <<= ub[0:32, :]
    return y
