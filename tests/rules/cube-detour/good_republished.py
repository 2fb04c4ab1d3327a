#~ pedantic
"""Straight from L0C to L1."""
from easyasc.a2 import *


@kernel()
def two_products(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l1_s = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.half, [32, 64], Position.UB)
    ws_s = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    ws_p = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    scores = CvMutex(0, depth=1)
    weights = VcMutex(1, depth=1)
    core = GetCubeIdx()
    row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1_a <<= a[core, 0:64, 0:64]
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
        l1_s <<= acc
        bar_all()
        matmul(acc, l1_s, l1_b, m=64, n=64, k=64)
        c[core, 0:64, 0:64] <<= acc
    return c
