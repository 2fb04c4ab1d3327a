"""The left operand is loaded eight columns into a fractal of L0A."""
import torch

from easyasc.a2 import *


@kernel()
def case_09_bad_operand_inside_a_fractal(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [16, 64], Position.L1)
    l0a = Tensor(DT.half, [16, 80], Position.L0A)
    l0b = Tensor(DT.half, [16, 64], Position.L0B)
    l0c = Tensor(DT.float, [16, 16], Position.L0C)
    if GetCubeIdx() == 0:
        with auto_sync():
            l1_a <<= a[0:16, 0:64]
            l1_b <<= b[0:16, 0:64]
            l0a[0:16, 8:72] <<= l1_a  #~ ERROR operand-alignment: starts 16 bytes past a 512-byte border
            l0b <<= l1_b
            mmad(l0c, l0a[0:16, 8:72], l0b, 16, 16, 64)  #~ ERROR operand-alignment
            c[0:16, 0:16] <<= l0c
    return c


if __name__ == "__main__":
    a = torch.randn(16, 64).half()
    b = torch.randn(16, 64).half()
    c = torch.empty(16, 16)
    OpExec(case_09_bad_operand_inside_a_fractal, "", simulator=True)(a, b, c)
