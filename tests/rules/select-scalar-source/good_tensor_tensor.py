"""The old tile as fallback, lane by lane."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_tensor_tensor(x: GMTensor, old: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    prev = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        prev <<= old[0:64, 0:64]
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(out, mask, ub, prev, SelectMode.TENSOR_TENSOR)
        y[0:64, 0:64] <<= out
    return y
