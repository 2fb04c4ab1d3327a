"""The first product starts the sum."""
from easyasc.a2 import *

@kernel()
def good_first_product(a: GMTensor, b: GMTensor, c: GMTensor, K: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = DBuff(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    slot = Var(0)
    with auto_sync():
        if GetCubeIdx() == 0:
            for k0 in range(0, K, 64):
                l1_a[slot] <<= a[0:64, k0:k0 + 64]
                l1_b[slot] <<= b[0:64, k0:k0 + 64]
                matmul(l0c, l1_a[slot], l1_b[slot], is_init=(k0 == 0), m=64, n=64, k=64)
                slot += 1
            c[0:64, 0:64] <<= l0c
    return c


if __name__ == "__main__":
    import torch

    a = torch.randn(64, 128).half()
    b = torch.randn(64, 128).half()
    c = torch.zeros(64, 64)
    OpExec(good_first_product, "", simulator=True)(a, b, c, 128)
