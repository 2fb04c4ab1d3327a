# 32 rows of half into 16 fractals: more than ten, and below the 64 rows from which on a board was right.
from easyasc.a2 import *


@kernel(mode="cube")
def wide(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = Tensor(DT.half, [32, 128], Position.L1)
    keys = Tensor(DT.half, [128, 128], Position.L1)
    scores = Tensor(DT.float, [32, 128], Position.L0C)
    with auto_sync():
        rows <<= q[0:32, 0:128]
        keys <<= k[0:128, 0:128]
        matmul(scores, rows, keys, m=32, n=128, k=128, splitk=32)  #~ INFO accumulate-settle: 32 rows of half
        s[0:32, 0:128] <<= scores
    return s


@kernel(mode="cube")
def floats(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = Tensor(DT.float, [32, 64], Position.L1)
    keys = Tensor(DT.float, [128, 64], Position.L1)
    scores = Tensor(DT.float, [32, 128], Position.L0C)
    with auto_sync():
        rows <<= q[0:32, 0:64]
        keys <<= k[0:128, 0:64]
        matmul(scores, rows, keys, m=32, n=128, k=64, splitk=32)
        s[0:32, 0:128] <<= scores
    return s
