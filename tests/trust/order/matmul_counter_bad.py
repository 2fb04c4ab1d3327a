# The counter of L1 advances once for each tile, though each tile loads several times: slots are taken again at once.
import torch
from easyasc.a2 import *

T = 64


@kernel()
def mm(a: GMTensor, b: GMTensor, c: GMTensor, M: Var, K: Var):  #~ VERDICT order: open
    la = DBuff(DT.half, [T, T], Position.L1)
    lb = DBuff(DT.half, [T, T], Position.L1)
    acc = DBuff(DT.float, [T, T], Position.L0C)
    tile = Var(0)
    with auto_sync():
        for m0 in range(GetCubeIdx() * T, M, GetCubeNum() * T):
            rows = Min(T, M - m0)
            for k0 in range(0, K, T):
                cols = Min(T, K - k0)
                la[tile][0:rows, 0:cols] <<= a[m0:m0 + rows, k0:k0 + cols]  #~ WARNING race: counts one token
                lb[tile][0:T, 0:cols] <<= b[0:T, k0:k0 + cols]
                matmul(acc[tile], la[tile], lb[tile], is_init=(k0 == 0), m=T, n=T, k=cols)
            c[m0:m0 + rows, 0:T] <<= acc[tile][0:rows, 0:T]
            tile += 1
    return c


if __name__ == "__main__":
    M, K = 200, 512
    OpExec(mm, "", simulator=True)(torch.randn(M, K).half(), torch.randn(T, K).half(), torch.zeros(M, T), M, K)
