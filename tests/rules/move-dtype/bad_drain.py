"""An accumulator of floats drained as int."""
from easyasc.a2 import *


@kernel()
def drained(a: GMTensor, y: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.int, [GetCubeNum(), 64, 64])
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        matmul(l0c, l1_a, l1_a, m=64, n=64, k=64)
        ws[GetCubeIdx(), 0:64, 0:64] <<= l0c  #~ ERROR move-dtype: cannot turn float into int
        y[0:64, 0:64] <<= l0c

    return y
