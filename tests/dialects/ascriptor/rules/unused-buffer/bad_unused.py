#~ pedantic
"""A ring that was left over."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    spare = DBuff(f32, [64, 64], Position.UB)  #~ WARNING unused-buffer: 32768 bytes of UB
    with auto_sync():
        u <<= x
        adds(u, u, 1.0)
        y <<= u
    return y
