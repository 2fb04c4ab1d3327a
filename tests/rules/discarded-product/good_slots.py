"""Each product has a slot of its own, and is read before that comes round."""
from easyasc.a2 import *


@kernel(mode="cube")
def work(x: GMTensor, w: GMTensor, y: GMTensor, M: Var):
    a = DBuff(DT.half, [64, 128], Position.L1)
    b = Tensor(DT.half, [64, 128], Position.L1)
    low = Tensor(DT.float, [64, 64], Position.L0C)
    high = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        b <<= w[0:64, 0:128]
        for m in range(0, M, 128):
            a[0] <<= x[m:m + 64, 0:128]
            a[1] <<= x[m + 64:m + 128, 0:128]
            matmul(low, a[0], b)
            matmul(high, a[1], b)
            y[m:m + 64, 0:64] <<= low
            y[m + 64:m + 128, 0:64] <<= high
    return y
