"""Operands start where the second one ends: on borders of fractals, which take 512 bytes."""
import torch

from easyasc.a2 import *


@kernel()
def case_09_good_operands_on_fractals(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [16, 64], Position.L1)
    l0a = Tensor(DT.half, [32, 64], Position.L0A)
    l0b = Tensor(DT.half, [32, 64], Position.L0B)
    l0c = Tensor(DT.float, [16, 16], Position.L0C)
    if GetCubeIdx() == 0:
        with auto_sync():
            l1_a <<= a[0:16, 0:64]
            l1_b <<= b[0:16, 0:64]
            l0a[16:32, 0:64] <<= l1_a
            l0b[16:32, 0:64] <<= l1_b
            mmad(l0c, l0a[16:32, 0:64], l0b[16:32, 0:64], 16, 16, 64)
            c[0:16, 0:16] <<= l0c
    return c


if __name__ == "__main__":
    a = torch.randn(16, 64).half()
    b = torch.randn(16, 64).half()
    c = torch.empty(16, 16)
    OpExec(case_09_good_operands_on_fractals, "", simulator=True)(a, b, c)
