"""Two partial results per row."""
from easyasc.a2 import *


@kernel(mode="vec")
def bad_wide(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 128], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    r = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        dup(r, 0.0)
        t <<= x[0:64, 0:128]
        cmax(s, t)  #~ ERROR reduce-row-width: gives one result per 64 elements: 128 for `t` [64,128], and `s` [64,1] has one for each row
        y[0:1, 0:64] <<= r
    return y
