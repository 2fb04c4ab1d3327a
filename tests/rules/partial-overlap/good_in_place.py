"""The same view on both sides."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_in_place(x: GMTensor, y: GMTensor):
    v = Tensor(DT.float, [1, 256], Position.UB)
    with auto_sync():
        v <<= x[0:1, 0:256]
        adds(v[0:1, 0:128], v[0:1, 0:128], 1.0)
        add(v[0:1, 0:64], v[0:1, 0:64], v[0:1, 64:128])
        y[0:1, 0:256] <<= v
    return y
