"""A core adds up all of its steps of k before it stores anything."""
import torch

from easyasc.a2 import *


@kernel()
def shares(a: GMTensor, b: GMTensor, c: GMTensor, K: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = DBuff(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    cnt = Var(0)
    with auto_sync():
        for k in range(GetCubeIdx() * 64, K, GetCubeNum() * 64):
            l1_a[cnt] <<= a[0:64, k:k + 64]
            l1_b[cnt] <<= b[0:64, k:k + 64]
            matmul(l0c, l1_a[cnt], l1_b[cnt], is_init=(cnt == 0))
            cnt += 1
        c[GetCubeIdx(), 0:64, 0:64] <<= l0c
    return c


if __name__ == "__main__":
    a = torch.randn(64, 2560).half()
    b = torch.randn(64, 2560).half()
    c = torch.zeros(20, 64, 64)
    OpExec(shares, "", simulator=True)(a, b, c, 2560)
