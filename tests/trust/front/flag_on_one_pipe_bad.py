# a flag goes from one pipe to another.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def flags(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [8, 64], Position.UB)
    setflag(Pipe.V, Pipe.V, 0)  #~ ERROR trace-error: both ends on V
    waitflag(Pipe.V, Pipe.V, 0)  #~ ERROR trace-error: both ends on V
    with auto_sync():
        u <<= x
        y <<= u
    return y
