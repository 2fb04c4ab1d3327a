"""The drain converts float to half and bfloat16."""
from easyasc.a2 import *


@kernel()
def drained(a: GMTensor, y: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    ws_h = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    ws_b = split_workspace(DT.bfloat16, [GetCubeNum(), 64, 64])
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        matmul(l0c, l1_a, l1_a, m=64, n=64, k=64)
        ws_h[GetCubeIdx(), 0:64, 0:64] <<= l0c
        ws_b[GetCubeIdx(), 0:64, 0:64] <<= l0c
        y[0:64, 0:64] <<= l0c

    return y
