"""Float matrices for half operands, and an output of a type that no drain makes."""
import torch

from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            l1_a <<= a[0:64, 0:64]  #~ ERROR move-dtype: which is half, and the launch gives `a` as float
            l1_b <<= b[0:64, 0:64]
            matmul(l0c, l1_a, l1_b)
            c[0:64, 0:64] <<= l0c  #~ ERROR move-dtype: which is float, and the launch gives `c` as int
    return c


if __name__ == "__main__":
    a = torch.randn(64, 64)
    b = torch.randn(64, 64).half()
    c = torch.zeros(64, 64, dtype=torch.int32)
    OpExec(product, "", simulator=True)(a, b, c)
