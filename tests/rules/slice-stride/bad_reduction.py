"""The sums are taken over other elements than the slice."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_reduction(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    s = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        t <<= x[0:64, 0:128]
        cadd(s, t[0:64, 64:96])  #~ ERROR slice-stride: of its `src`
        y[0:1, 0:64] <<= s
    return y
