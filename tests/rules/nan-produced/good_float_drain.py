"""The output is float like the sum."""
import torch

from easyasc.a2 import *


@kernel()
def drained(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            l1_a <<= a[0:64, 0:64]
            l1_b <<= b[0:64, 0:64]
            matmul(l0c, l1_a, l1_b)
            c[0:64, 0:64] <<= l0c
    return c


if __name__ == "__main__":
    a = torch.full((64, 64), 60.0).half()
    b = torch.full((64, 64), 60.0).half()
    c = torch.zeros(64, 64)
    OpExec(drained, "", simulator=True)(a, b, c)
