"""8-bit integers in int."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, bias: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.int8, [64, 64], Position.L1)
    l1_b = Tensor(DT.int8, [64, 64], Position.L1)
    l1_bias = Tensor(DT.int, [1, 64], Position.L1, layout=Layout.ND)
    acc = Tensor(DT.int, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        l1_b <<= b[0:64, 0:64]
        l1_bias <<= bias[0:1, 0:64]
        matmul(acc, l1_a, l1_b, m=64, n=64, k=64, bias=l1_bias)
        c[0:64, 0:64] <<= acc
    return c
