"""Products of large floats overflow in L0C."""
import torch

from easyasc.a2 import *


@kernel()
def overflowing(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.float, [64, 64], Position.L1)
    l1_b = Tensor(DT.float, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            l1_a <<= a[0:64, 0:64]
            l1_b <<= b[0:64, 0:64]
            matmul(l0c, l1_a, l1_b)  #~ WARNING nan-produced: matmul() makes an infinity of finite operands
            c[0:64, 0:64] <<= l0c
    return c


if __name__ == "__main__":
    a = torch.full((64, 64), 1.0e30)
    b = torch.full((64, 64), 1.0e30)
    OpExec(overflowing, "", simulator=True)(a, b, torch.zeros(64, 64))
