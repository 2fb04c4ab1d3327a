"""A keep mask of one byte per element, loaded as it is."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_loaded(x: GMTensor, keep: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        mask <<= keep[0:64, 0:64]
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)  #~ ERROR select-mask-expanded: select() reads `mask` [64,64] as packed bits: 512 bytes decide 4096 elements
        y[0:64, 0:64] <<= ub
    return y
