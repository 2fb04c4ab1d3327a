# The mask outlives the kernel on silicon: the next kernel that relies on all lanes computes eight of them.
from easyasc.a2 import *


@kernel(mode="vec")
def leaves_it(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        set_mask(0, 0xFF)  #~ WARNING mask-leak: still in force at the end of the kernel
        muls(tile, tile, 2.0)
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def resets_it(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        set_mask(0, 0xFF)
        muls(tile, tile, 2.0)
        reset_mask()
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def counts(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        muls(tile, tile, 2.0, count_per_rep=8)
        y[0:8, 0:64] <<= tile
    return y
