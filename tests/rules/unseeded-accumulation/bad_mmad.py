"""The only product of the kernel adds to what nothing has started."""
import torch

from easyasc.a2 import *


@kernel()
def k(a: GMTensor, b: GMTensor, y: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0a = Tensor(DT.half, [64, 64], Position.L0A)
    l0b = Tensor(DT.half, [64, 64], Position.L0B)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            l1_a <<= a[0:64, 0:64]
            l1_b <<= b[0:64, 0:64]
            l0a <<= l1_a
            l0b <<= l1_b
            mmad(l0c, l0a, l0b, is_init=False)  #~ ERROR unseeded-accumulation: no product has started its sum
            y[0:64, 0:64] <<= l0c
    return y
