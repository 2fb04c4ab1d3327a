"""A constant of the module, in a select and a clamp."""
from easyasc.a2 import *

NEG_INF = float("-inf")

@kernel(mode="vec")
def bad_module_constant(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 8], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        compare_scalar(mask, ub, 0.0, CompareMode.GT)
        select(ub, mask, ub, NEG_INF, SelectMode.TENSOR_SCALAR)  #~ WARNING infinite-sentinel: select() takes the sentinel -inf
        vmaxs(ub, ub, NEG_INF)  #~ WARNING infinite-sentinel: vmaxs() takes
        exp(ub, ub)
        y[0:64, 0:64] <<= ub
    return y
