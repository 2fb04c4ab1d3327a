"""The mask is meant for what comes after the counted instruction as well."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_used_before(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    row = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        u <<= x[0:64, 0:64]
        set_mask(0, 0xFF)
        muls(u, u, 2.0)
        dup(row, 0.0, count=64)
        adds(u, u, 1.0)  #~ WARNING mask-clobbered: adds() runs on all lanes: dup() has reset the mask
        reset_mask()
        y[0:64, 0:64] <<= u
    return y
