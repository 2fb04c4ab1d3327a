"""A buffer that is declared under another name."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x
        exp(u, out)  #~ ERROR unknown-name: `out`
        y <<= u
    return y
