"""Four steps of k add to four fractals."""
from easyasc.a2 import *


@kernel()
def split(a: GMTensor, b: GMTensor, y: GMTensor):
    l1_a = Tensor(DT.bfloat16, [16, 256], Position.L1)
    l1_b = Tensor(DT.bfloat16, [64, 256], Position.L1)
    l0c = Tensor(DT.float, [16, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:256]
        l1_b <<= b[0:64, 0:256]
        matmul(l0c, l1_a, l1_b, splitk=64)  #~ ERROR accumulate-settle: with splitk=64 adds up 4 products in `l0c`
        y[0:16, 0:64] <<= l0c
    return y
