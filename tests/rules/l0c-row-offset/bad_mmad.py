"""A product of loaded operands, lower in the tile."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0a = Tensor(DT.half, [16, 64], Position.L0A)
    l0b = Tensor(DT.half, [64, 64], Position.L0B)
    acc = Tensor(DT.float, [32, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:16, 0:64]
        l1_b <<= b[0:64, 0:64]
        l0a <<= l1_a
        l0b <<= l1_b
        mmad(acc[16:32, 0:64], l0a, l0b, M=16, N=64, K=64)  #~ ERROR l0c-row-offset: mmad() writes `acc[16:32, 0:64]` from row 16 on
        c[0:16, 0:64] <<= acc[16:32, 0:64]
    return c
