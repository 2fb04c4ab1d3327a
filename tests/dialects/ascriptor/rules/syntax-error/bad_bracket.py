"""One mistake is one finding."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x
        exp(u, u  #~ ERROR syntax-error: `(` is never closed
        y <<= u
    return y
