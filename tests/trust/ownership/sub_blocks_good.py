# Good: both vec lanes of a core take half of each tile; a column loop inside.
from easyasc.a2 import *
import torch

T = 64


@kernel()
def split(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT ownership: holds y is [M, N]
    a = DBuff(DT.float, [T // 2, T], Position.UB)
    b = DBuff(DT.float, [T // 2, T], Position.UB)
    n = Var(0)
    with auto_sync():
        for t in range(GetCubeIdx(), CeilDiv(M, T), GetCubeNum()):
            row0 = Min(t * T + GetSubBlockIdx() * (T // 2), M)
            rows = Min(T // 2, M - row0)
            for c0 in range(0, N, T):
                cols = Min(T, N - c0)
                a[n][0:rows, 0:cols] <<= x[row0:row0 + rows, c0:c0 + cols]
                exp(b[n], a[n])
                y[row0:row0 + rows, c0:c0 + cols] <<= b[n][0:rows, 0:cols]
                n += 1
    return y


if __name__ == "__main__":
    for M, N in [(100, 96), (64, 40)]:
        OpExec(split, "", simulator=True)(torch.randn(M, N), torch.zeros(M, N), M, N)
