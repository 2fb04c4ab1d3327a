"""Every product starts anew."""
import torch

from easyasc.a2 import *

@kernel()
def small_products(a: GMTensor, b: GMTensor, y: GMTensor, K: Var):
    l1_a = DBuff(DT.half, [32, 64], Position.L1)
    l1_b = DBuff(DT.half, [32, 64], Position.L1)
    l0c = Tensor(DT.float, [32, 32], Position.L0C)
    count = Var(0)
    with auto_sync():
        for k0 in range(0, K, 64):
            l1_a[count] <<= a[0:32, k0:k0 + 64]
            l1_b[count] <<= b[0:32, k0:k0 + 64]
            matmul(l0c, l1_a[count], l1_b[count], is_init=True)
            count += 1
            y[0:32, k0 // 2:k0 // 2 + 32] <<= l0c
    return y


if __name__ == "__main__":
    OpExec(small_products, "", simulator=True)(torch.randn(32, 256).half(), torch.randn(32, 256).half(), torch.zeros(32, 128), 256)
