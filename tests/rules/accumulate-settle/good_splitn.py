"""Parts of n are sums of their own."""
import torch

from easyasc.a2 import *


@kernel()
def k(a: GMTensor, b: GMTensor, y: GMTensor):
    l1_a = Tensor(DT.half, [16, 64], Position.L1)
    l1_b = Tensor(DT.half, [256, 64], Position.L1)
    l0c = Tensor(DT.float, [16, 256], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            l1_a <<= a[0:16, 0:64]
            l1_b <<= b[0:256, 0:64]
            matmul(l0c, l1_a, l1_b, splitn=64)
            y[0:16, 0:256] <<= l0c
    return y


if __name__ == "__main__":
    OpExec(k, "", simulator=True)(torch.randn(16, 64).half(), torch.randn(256, 64).half(), torch.zeros(16, 256))
