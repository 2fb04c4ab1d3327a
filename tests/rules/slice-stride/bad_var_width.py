"""A width that is a Var is never matched."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_var_width(x: GMTensor, y: GMTensor, N: Var):
    t = Tensor(DT.float, [64, 128], Position.UB)
    cols = Max(Min(N, 100), 1)
    with auto_sync():
        t <<= x[0:64, 0:128]
        adds(t[0:64, 0:cols], t[0:64, 0:cols], 1.0)  #~ ERROR slice-stride: processes consecutive elements
        y[0:64, 0:128] <<= t
    return y
