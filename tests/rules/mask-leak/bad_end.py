"""The mask outlives the kernel."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_end(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        set_mask(0, 0xFF)  #~ WARNING mask-leak: still in force at the end of the kernel
        adds(u, u, 1.0)
        y[0:64, 0:64] <<= u
    return y
