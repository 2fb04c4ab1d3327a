"""What is left over in one operand meets zeros in the other."""
import torch

from easyasc.a2 import *


@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor, K: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = DBuff(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    cnt = Var(0)
    with auto_sync():
        if GetCubeIdx() == 0:
            set_constant_to_l1(l1_a[0], 0.0)
            set_constant_to_l1(l1_a[1], 0.0)
            bar_all()
            for k in range(0, K, 64):
                valid = Min(64, K - k)
                l1_a[cnt] <<= a[0:64, k:k + valid]
                set_constant_to_l1(l1_b[cnt], 0.0)
                bar_all()
                l1_b[cnt] <<= b[0:64, k:k + valid]
                matmul(l0c, l1_a[cnt], l1_b[cnt], is_init=(k == 0))
                cnt += 1
            c[0:64, 0:64] <<= l0c
    return c


if __name__ == "__main__":
    a = torch.randn(64, 160).half()
    b = torch.randn(64, 160).half()
    OpExec(product, "", simulator=True)(a, b, torch.zeros(64, 64), 160)
