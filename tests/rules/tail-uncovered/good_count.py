"""The count says where it ends."""
from easyasc.a2 import *


@kernel(mode="vec")
def good_count(x: GMTensor, y: GMTensor):
    q = Tensor(DT.float, [16, 40], Position.UB)
    with auto_sync():
        q <<= x[0:16, 0:40]
        muls(q[0:3, 0:40], q[0:3, 0:40], 2.0, count=120)
        y[0:16, 0:40] <<= q
    return y
