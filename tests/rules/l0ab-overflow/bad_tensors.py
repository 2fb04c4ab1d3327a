"""Explicit L0A tensors above 64 KB."""
from easyasc.a2 import *


@kernel()
def product(a: GMTensor, c: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [128, 256], Position.L1)
    l0a = DBuff(DT.half, [128, 256], Position.L0A)  #~ ERROR l0ab-overflow: `l0a` needs 128 KB;
    l0b = Tensor(DT.half, [128, 256], Position.L0B)
    l0c = Tensor(DT.float, [128, 128], Position.L0C)
    with auto_sync():
        l1_a <<= a[0:128, 0:256]
        l0a[0] <<= l1_a
        l0b <<= l1_a
        mmad(l0c, l0a[0], l0b, M=128, N=128, K=256)
        c[0:128, 0:128] <<= l0c

    return c
