"""A product lands eight rows down in L0C: 512 bytes, where fractals take 1024."""
import torch

from easyasc.a2 import *


@kernel()
def case_09_bad_product_below_the_first_row(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [16, 64], Position.L1)
    l0a = Tensor(DT.half, [16, 64], Position.L0A)
    l0b = Tensor(DT.half, [16, 64], Position.L0B)
    l0c = Tensor(DT.float, [32, 16], Position.L0C)
    if GetCubeIdx() == 0:
        with auto_sync():
            l1_a <<= a[0:16, 0:64]
            l1_b <<= b[0:16, 0:64]
            l0a <<= l1_a
            l0b <<= l1_b
            mmad(l0c[8:24, 0:16], l0a, l0b, 16, 16, 64)  #~ ERROR l0c-row-offset
            c[0:16, 0:16] <<= l0c[0:16, 0:16]
    return c


if __name__ == "__main__":
    a = torch.randn(16, 64).half()
    b = torch.randn(16, 64).half()
    c = torch.empty(16, 16)
    OpExec(case_09_bad_product_below_the_first_row, "", simulator=True)(a, b, c)
