#~ pedantic
"""Scores that the vector side works on."""
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
        scores.lock()
        ws_s[core, 0:64, 0:64] <<= acc
        scores.ready()
        scores.wait()
        ub <<= ws_s[core, row:row + 32, 0:64]
        scores.free()
        muls(ub, ub, 0.01)
        exp(ub, ub)
        weights.lock()
        ws_p[core, row:row + 32, 0:64] <<= ub
        weights.ready()
        weights.wait()
        l1_s <<= ws_p[core, 0:64, 0:64]
        weights.free()
        matmul(acc, l1_s, l1_b, m=64, n=64, k=64)
        c[core, 0:64, 0:64] <<= acc
    return c
