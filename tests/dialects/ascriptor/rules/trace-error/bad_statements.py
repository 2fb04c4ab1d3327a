"""What the compiler does not read."""
from ascriptor.a2 import *


@kernel(mode="vec")
def loops(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        ub <<= x
        while count < 4:  #~ ERROR trace-error: while
            count += 1
        y[0:64, 0:64] <<= ub
    return y
