"""A branch for the first step of each tile, on a counter of its own."""
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
            step = Var(0)
            for k in range(0, K, 64):
                l1_a[cnt] <<= a[m:m + 64, k:k + 64]
                l1_b[cnt] <<= b[0:64, k:k + 64]
                if step == 0:
                    matmul(l0c, l1_a[cnt], l1_b[cnt])
                else:
                    matmul(l0c, l1_a[cnt], l1_b[cnt], is_init=False)
                step += 1
                cnt += 1
            c[m:m + 64, 0:64] <<= l0c
    return c


if __name__ == "__main__":
    M = 64 * 60
    OpExec(tiles, "", simulator=True)(torch.randn(M, 128).half(), torch.randn(64, 128).half(), torch.zeros(M, 64), M, 128)
