"""Another type for an accumulator."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
        c[0:64, 0:64] <<= acc.reinterpret(DT.int)  #~ ERROR reinterpret-view: `acc` [64,64] is in L0C, whose fractals have one element type
    return c
