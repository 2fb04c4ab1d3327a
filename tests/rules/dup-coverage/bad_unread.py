"""Nothing reads the tensor yet, and the fill leaves lanes out."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_unread(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [64, 64], Position.UB)
    unused8 = Tensor(DT.float, [64, 8], Position.UB)
    with auto_sync():
        dup(unused8, 0.0)  #~ WARNING dup-coverage: 64 of 512
        ub <<= x[0:64, 0:64]
        y[0:64, 0:64] <<= ub
    return y
