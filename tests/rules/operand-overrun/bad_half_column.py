"""64 halfs fill half a repeat."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_half_column(x: GMTensor, y: GMTensor):
    scale = Tensor(DT.half, [64, 1], Position.UB)
    bias = Tensor(DT.half, [64, 1], Position.UB)
    with auto_sync():
        scale <<= x[0:64]
        muls(scale, scale, 0.5)  #~ ERROR operand-overrun: muls() writes 64 elements past the end of `scale` [64,1] (repeat 1), over `bias`
        y[0:64] <<= scale
    return y
