# Tiles numbered row by row: a rest that is written as a difference covers what one by `%` would.
import torch
from easyasc.a2 import *


@kernel()
def dealt(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT dealt.ownership: holds
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_m * tiles_n)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_n) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y

@kernel()
def plain(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT plain.ownership: holds
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_n * tiles_m)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_n) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y


if __name__ == "__main__":
    OpExec(dealt, "", simulator=True)(torch.randn(70, 130), torch.zeros(70, 130), 70, 130)
    OpExec(plain, "", simulator=True)(torch.randn(70, 130), torch.zeros(70, 130), 70, 130)
