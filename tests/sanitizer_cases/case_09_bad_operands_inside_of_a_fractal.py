"""Operands start two rows down in L0A and L0B: 256 bytes, where fractals take 512."""
import torch

from easyasc.a2 import *


@kernel()
def case_09_bad_operands_inside_of_a_fractal(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [16, 64], Position.L1)
    l0a = Tensor(DT.half, [32, 64], Position.L0A)
    l0b = Tensor(DT.half, [32, 64], Position.L0B)
    l0c = Tensor(DT.float, [16, 16], Position.L0C)
    if GetCubeIdx() == 0:
        with auto_sync():
            l1_a <<= a[0:16, 0:64]
            l1_b <<= b[0:16, 0:64]
            l0a[2:18, 0:64] <<= l1_a  #~ ERROR operand-alignment: 256 bytes past a 512-byte border
            l0b[2:18, 0:64] <<= l1_b  #~ ERROR operand-alignment
            mmad(l0c, l0a[2:18, 0:64], l0b[2:18, 0:64], 16, 16, 64)  #~ ERROR operand-alignment: l0a[2:18
            #~^ ERROR operand-alignment: l0b[2:18
            c[0:16, 0:16] <<= l0c
    return c


if __name__ == "__main__":
    a = torch.randn(16, 64).half()
    b = torch.randn(16, 64).half()
    c = torch.empty(16, 16)
    OpExec(case_09_bad_operands_inside_of_a_fractal, "", simulator=True)(a, b, c)
