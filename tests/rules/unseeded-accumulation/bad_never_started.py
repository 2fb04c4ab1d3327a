"""Nothing ever starts the sum, whatever the launch."""
from easyasc.a2 import *


@kernel()
def never_started(a: GMTensor, b: GMTensor, c: GMTensor, K: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        for k in range(0, K, 64):
            l1_a <<= a[0:64, k:k + 64]
            l1_b <<= b[0:64, k:k + 64]
            matmul(l0c, l1_a, l1_b, is_init=False)  #~ ERROR unseeded-accumulation: adds to `l0c`, and no product has started its sum
        c[0:64, 0:64] <<= l0c
    return c
