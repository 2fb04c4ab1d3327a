#~ pedantic
"""Eight stores for one row of bits."""
from ascriptor.a2 import *


@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    keep = Tensor(u8, [64, 8], Position.UB)
    zero = Tensor(f32, [1, 64], Position.UB)
    byte = Var(255, u8)
    with auto_sync():
        u <<= x
        dup(zero, 0.0)
        for at in range(0, 8):
            byte.SetValueTo(keep[0:1, at:at + 1])  #~ WARNING setvalue-mask-loop: byte by byte in a loop
        bar_all()
        select(u[0:1, 0:64], keep[0:1, 0:8], u[0:1, 0:64], zero, SelectMode.TENSOR_SCALAR)
        y <<= u
    return y
