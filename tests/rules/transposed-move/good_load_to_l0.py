"""The load of a cube operand transposes, and twice is not at all."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0a = Tensor(DT.half, [64, 64], Position.L0A)
    l0b = Tensor(DT.half, [64, 64], Position.L0B)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:64, 0:64].T.T
        l1_b <<= b[0:64, 0:64]
        l0a <<= l1_a
        l0b <<= l1_b.T
        mmad(acc, l0a, l0b, M=64, N=64, K=64)
        c[0:64, 0:64] <<= acc
    return c
