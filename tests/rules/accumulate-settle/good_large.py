"""Sixteen fractals take long enough."""
import torch

from easyasc.a2 import *

@kernel()
def small_products(a: GMTensor, b: GMTensor, y: GMTensor, K: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = DBuff(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    count = Var(0)
    with auto_sync():
        for k0 in range(0, K, 64):
            l1_a[count] <<= a[0:64, k0:k0 + 64]
            l1_b[count] <<= b[0:64, k0:k0 + 64]
            matmul(l0c, l1_a[count], l1_b[count], is_init=(k0 == 0))
            count += 1
        y[0:64, 0:64] <<= l0c
    return y


if __name__ == "__main__":
    OpExec(small_products, "", simulator=True)(torch.randn(64, 256).half(), torch.randn(64, 256).half(), torch.zeros(64, 64), 256)
