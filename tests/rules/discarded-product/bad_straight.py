"""The second product was to be added to the first."""
from easyasc.a2 import *


@kernel(mode="cube")
def work(x: GMTensor, w: GMTensor, y: GMTensor):
    a = Tensor(DT.half, [64, 128], Position.L1)
    b = Tensor(DT.half, [64, 128], Position.L1)
    c = Tensor(DT.half, [64, 128], Position.L1)
    d = Tensor(DT.half, [64, 128], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        a <<= x[0:64, 0:128]
        b <<= w[0:64, 0:128]
        c <<= x[0:64, 128:256]
        d <<= w[0:64, 128:256]
        matmul(acc, a, b)
        bar_m()
        matmul(acc, c, d, is_init=True)  #~ WARNING discarded-product: matmul() overwrites the product of line 17 in `acc`
        y[0:64, 0:64] <<= acc
    return y
