"""Operands of two types."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, bias: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.bfloat16, [64, 64], Position.L1)
    l1_bias = Tensor(DT.float, [1, 64], Position.L1, layout=Layout.ND)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        l1_b <<= b[0:64, 0:64]
        l1_bias <<= bias[0:1, 0:64]
        matmul(acc, l1_a, l1_b, m=64, n=64, k=64, bias=l1_bias)  #~ ERROR accumulator-dtype: matmul() multiplies operands of one type; `l1_a` is half, `l1_b` is bfloat16
        c[0:64, 0:64] <<= acc
    return c
