"""The facade exports them, the device has none of them."""
from ascriptor.a2 import *


@kernel(mode="vec")
def logs(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x
        log2(ub, ub)  #~ ERROR a5-only-api: log2
        neg(ub, ub)  #~ ERROR a5-only-api: neg
        y[0:64, 0:64] <<= ub
    return y
