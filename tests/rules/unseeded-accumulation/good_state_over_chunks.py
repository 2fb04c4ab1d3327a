"""A state that grows from chunk to chunk is stored after each; every sequence starts it anew."""
import torch

from easyasc.a2 import *


@kernel()
def states(k: GMTensor, v: GMTensor, h: GMTensor, B: Var, C: Var):
    l1_k = DBuff(DT.half, [64, 64], Position.L1)
    l1_v = DBuff(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    cnt = Var(0)
    with auto_sync():
        for b in range(GetCubeIdx(), B, GetCubeNum()):
            for chunk in range(0, C):
                l1_k[cnt] <<= k[b, chunk * 64:chunk * 64 + 64, 0:64]
                l1_v[cnt] <<= v[b, chunk * 64:chunk * 64 + 64, 0:64]
                matmul(l0c, l1_k[cnt], l1_v[cnt], is_init=(chunk == 0))
                h[b, chunk * 64:chunk * 64 + 64, 0:64] <<= l0c
                cnt += 1
    return h


if __name__ == "__main__":
    k = torch.randn(30, 192, 64).half()
    v = torch.randn(30, 192, 64).half()
    h = torch.zeros(30, 192, 64)
    OpExec(states, "", simulator=True)(k, v, h, 30, 3)
