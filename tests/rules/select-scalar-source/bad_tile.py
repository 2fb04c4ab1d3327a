"""The old tile as fallback, in a mode that takes one scalar of it."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_tile(x: GMTensor, old: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    prev = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        prev <<= old[0:64, 0:64]
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, prev, SelectMode.TENSOR_SCALAR)  #~ ERROR select-scalar-source: takes element 0 of `prev` [64,64] for every rejected lane; the other 4095 are ignored
        y[0:64, 0:64] <<= ub
    return y
