"""Where the height of a tile comes from is not to be seen: it may always be whole."""
import heights

from easyasc.a2 import *


@kernel()
def good_unknown_height(a: GMTensor, b: GMTensor, c: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    handoff = CvMutex(0)
    core = GetCubeIdx()
    count = Var(0)
    l1_b <<= b[0:64, 0:64]
    with auto_sync():
        for m0 in range(core * 64, M, GetCubeNum() * 64):
            valid_m = Min(64, heights.of(m0))
            half = CeilDiv(valid_m, 2)
            start = GetSubBlockIdx() * half
            rows = Min(half, valid_m - start)
            l1_a <<= a[m0:m0 + valid_m, 0:64]
            matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
            handoff.lock()
            ws[core, var_mod(count, 2), 0:64, 0:64] <<= acc
            handoff.ready()
            handoff.wait()
            ub[0:rows, 0:64] <<= ws[core, var_mod(count, 2), start:start + rows, 0:64]
            handoff.free()
            c[m0 + start:m0 + start + rows, 0:64] <<= ub[0:rows, 0:64]
            count += 1
    return c
