"""The logarithm of a difference that is zero, whatever the inputs hold."""
from easyasc.a2 import *


# a2lint: launch(v=float[64, 64], out=float[64, 64])
@kernel(mode="vec")
def spread(v: GMTensor, out: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    d = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            u <<= v[0:64, 0:64]
            vmaxs(d, u, 0.25)
            sub(d, d, d)
            ln(d, d)  #~ WARNING nan-produced: a negative infinity
            out[0:64, 0:64] <<= d
    return out
