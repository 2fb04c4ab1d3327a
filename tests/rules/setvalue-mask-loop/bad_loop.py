#~ pedantic
"""Sixteen stores for one row of bits."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_loop(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [1, 128], Position.UB)
    keep = Tensor(DT.uint8, [1, 16], Position.UB)
    byte = Var(255)
    with auto_sync():
        u <<= x[0:1, 0:128]
        for at in range(0, 16):
            byte.SetValueTo(keep[0:1, at:at + 1])  #~ WARNING setvalue-mask-loop: byte by byte in a loop
        bar_all()
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:1, 0:128] <<= u
    return y
