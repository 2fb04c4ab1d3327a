"""The steps of a tail are as many as those of a whole tile."""
import torch

from easyasc.a2 import *


@kernel()
def k(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):
    l1_a = DBuff(DT.half, [16, 512], Position.L1)
    l1_b = Tensor(DT.half, [32, 512], Position.L1)
    l0c = DBuff(DT.float, [16, 32], Position.L0C)
    cnt = Var(0)
    with auto_sync():
        l1_b <<= b[0:32, 0:512]
        for m in range(GetCubeIdx() * 16, M, GetCubeNum() * 16):
            v = Min(16, M - m)
            l1_a[cnt] <<= a[m:m + v, 0:512]
            matmul(l0c[cnt], l1_a[cnt], l1_b, splitk=128)  #~ ERROR accumulate-settle: adds up 4 products
            y[m:m + v, 0:32] <<= l0c[cnt][0:v, 0:32]
            cnt += 1
    return y


if __name__ == "__main__":
    M = 40
    OpExec(k, "", simulator=True)(torch.randn(M, 512).half(), torch.randn(32, 512).half(), torch.zeros(M, 32), M)
