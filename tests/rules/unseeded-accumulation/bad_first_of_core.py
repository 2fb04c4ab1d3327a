"""The sum is started by the first product of a core, not of a tile."""
import torch

from easyasc.a2 import *


@kernel()
def tiles(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, K: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = DBuff(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    cnt = Var(0)
    with auto_sync():
        for m in range(GetCubeIdx() * 64, M, GetCubeNum() * 64):
            valid = Min(64, M - m)
            for k in range(0, K, 64):
                l1_a[cnt] <<= a[m:m + valid, k:k + 64]
                l1_b[cnt] <<= b[0:64, k:k + 64]
                matmul(l0c, l1_a[cnt], l1_b[cnt], is_init=(cnt == 0))  #~ ERROR unseeded-accumulation: holds the stored sum of the tile before
                cnt += 1
            c[m:m + valid, 0:64] <<= l0c[0:valid, 0:64]
    return c


if __name__ == "__main__":
    a = torch.randn(2560, 128).half()
    b = torch.randn(64, 128).half()
    c = torch.zeros(2560, 64)
    OpExec(tiles, "", simulator=True)(a, b, c, 2560, 128)
