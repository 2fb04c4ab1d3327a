#~ pedantic
"""Every row of the mask, every byte of a row."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_rows(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    keep = Tensor(DT.uint8, [64, 8], Position.UB)
    byte = Var(15)
    with auto_sync():
        u <<= x[0:64, 0:64]
        for row in range(0, 64):
            for at in range(0, 8):
                byte.SetValueTo(keep[row:row + 1, at:at + 1])  #~ WARNING setvalue-mask-loop
        bar_all()
        select(u, keep, u, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= u
    return y
