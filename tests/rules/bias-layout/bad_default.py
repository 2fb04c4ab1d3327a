"""The default layout."""
from easyasc.a2 import *


@kernel()
def linear(a: GMTensor, w: GMTensor, bias: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_w = Tensor(DT.half, [64, 64], Position.L1)
    l1_bias = Tensor(DT.float, [1, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        l1_w <<= w[0:64, 0:64]
        l1_bias <<= bias[0:1, 0:64]
        matmul(acc, l1_a, l1_w, m=64, n=64, k=64, bias=l1_bias)  #~ ERROR bias-layout: matmul() takes the bias from a flat row; `l1_bias` is stored in strips of 8 columns (NZ)
        c[0:64, 0:64] <<= acc
    return c
