# The second half of each tile belongs to a lane that nobody is: a typo in what splits the tile.
from easyasc.a2 import *
import torch

T = 64


@kernel()
def split(x: GMTensor, y: GMTensor, M: Var):
    a = DBuff(DT.float, [T // 2, T], Position.UB)
    b = DBuff(DT.float, [T // 2, T], Position.UB)
    n = Var(0)
    with auto_sync():
        for t in range(GetCubeIdx(), CeilDiv(M, T), GetCubeNum()):
            row0 = Min(t * T + GetSubBlockIdx() * T, M)
            rows = Min(T // 2, M - row0)
            a[n][0:rows, 0:T] <<= x[row0:row0 + rows, 0:T]
            exp(b[n], a[n])
            y[row0:row0 + rows, 0:T] <<= b[n][0:rows, 0:T]  #~ ERROR output-hole
            n += 1
    return y


if __name__ == "__main__":
    OpExec(split, "", simulator=True)(torch.randn(100, T), torch.zeros(100, T), 100)
