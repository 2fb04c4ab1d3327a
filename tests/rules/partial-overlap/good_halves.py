"""Next to each other."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_halves(x: GMTensor, y: GMTensor):
    v = Tensor(DT.float, [1, 256], Position.UB)
    with auto_sync():
        v <<= x[0:1, 0:256]
        adds(v[0:1, 128:256], v[0:1, 0:128], 1.0)
        y[0:1, 0:256] <<= v
    return y
