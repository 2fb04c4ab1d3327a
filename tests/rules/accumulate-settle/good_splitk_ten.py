"""Ten fractals and 80 rows are enough, across calls and inside of them."""
import torch

from easyasc.a2 import *


@kernel()
def k(a: GMTensor, b: GMTensor, y: GMTensor, K: Var):
    l1_a = DBuff(DT.half, [80, 128], Position.L1)
    l1_b = DBuff(DT.half, [32, 128], Position.L1)
    l0c = Tensor(DT.float, [80, 32], Position.L0C)
    cnt = Var(0)
    with auto_sync():
        if GetCubeIdx() == 0:
            for k0 in range(0, K, 128):
                l1_a[cnt] <<= a[0:80, k0:k0 + 128]
                l1_b[cnt] <<= b[0:32, k0:k0 + 128]
                matmul(l0c, l1_a[cnt], l1_b[cnt], splitk=64, is_init=(k0 == 0))
                cnt += 1
            y[0:80, 0:32] <<= l0c
    return y


if __name__ == "__main__":
    OpExec(k, "", simulator=True)(torch.randn(80, 256).half(), torch.randn(32, 256).half(), torch.zeros(80, 32), 256)
