"""A packed mask from GM, 8 bytes per row."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_loaded_packed(x: GMTensor, keep: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [1, 512], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        mask <<= keep[0:512]
        select(ub, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= ub
    return y
