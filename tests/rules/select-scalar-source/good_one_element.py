"""One element of a loaded row is what the mode takes."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_one_element(x: GMTensor, low: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    floor = Tensor(DT.float, [1, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        floor <<= low[0:1, 0:64]
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, floor[0:1, 0:1], SelectMode.TENSOR_SCALAR)
        y[0:64, 0:64] <<= ub
    return y
