"""A loop that counts down discards sums as one that counts up does."""
from easyasc.a2 import *


@kernel()
def down(x: GMTensor, w: GMTensor, y: GMTensor):
    a = Tensor(DT.half, [128, 128], Position.L1)
    b = Tensor(DT.half, [128, 128], Position.L1)
    l0c = Tensor(DT.float, [128, 128], Position.L0C)
    with auto_sync():
        for k in range(384, -1, -128):
            a <<= x[0:128, k:k + 128]
            b <<= w[0:128, k:k + 128]
            matmul(l0c, a, b)  #~ WARNING discarded-product
        y[0:128, 0:128] <<= l0c
    return y
