"""A byte mask whose loaded width only the launch knows."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_width_unknown(x: GMTensor, keep: GMTensor, y: GMTensor, N: Var):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    mask = Tensor(DT.uint8, [64, 64], Position.UB)
    with auto_sync():
        for c in range(0, N, 64):
            cols = Min(64, N - c)
            ub[0:64, 0:cols] <<= x[0:64, c:c + cols]
            mask[0:64, 0:cols] <<= keep[0:64, c:c + cols]
            select(out, mask, ub, 0.0, SelectMode.TENSOR_SCALAR)  #~ WARNING select-mask-expanded
            y[0:64, c:c + cols] <<= out[0:64, 0:cols]
    return y
