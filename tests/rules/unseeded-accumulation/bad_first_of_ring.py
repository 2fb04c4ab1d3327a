"""Each slot of the ring has a first tile, and only the first of all starts a sum."""
import torch

from easyasc.a2 import *


@kernel()
def tiles(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, K: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = DBuff(DT.half, [64, 64], Position.L1)
    l0c = DBuff(DT.float, [64, 64], Position.L0C)
    cnt = Var(0)
    tile = Var(0)
    with auto_sync():
        for m in range(GetCubeIdx() * 64, M, GetCubeNum() * 64):
            valid = Min(64, M - m)
            for k in range(0, K, 64):
                l1_a[cnt] <<= a[m:m + valid, k:k + 64]
                l1_b[cnt] <<= b[0:64, k:k + 64]
                matmul(l0c[tile], l1_a[cnt], l1_b[cnt], is_init=(tile + k == 0))  #~ ERROR unseeded-accumulation: and nothing has written it
                cnt += 1
            c[m:m + valid, 0:64] <<= l0c[tile][0:valid, 0:64]
            tile += 1
    return c


if __name__ == "__main__":
    M = 64 * 60
    OpExec(tiles, "", simulator=True)(torch.randn(M, 128).half(), torch.randn(64, 128).half(), torch.zeros(M, 64), M, 128)
