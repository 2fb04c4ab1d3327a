"""Two tokens for one slot."""
from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, c: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    handoff = CvMutex(0)
    core = GetCubeIdx()
    count = Var(0)
    row = Var(GetSubBlockIdx() * 32)
    l1_b <<= b[0:64, 0:64]
    with auto_sync():
        for m0 in range(core * 64, M, GetCubeNum() * 64):
            l1_a <<= a[m0:m0 + 64, 0:64]
            matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
            handoff.lock()
            ws[core, 0:64, 0:64] <<= acc  #~ ERROR workspace-slot: `ws` has one slot for a core and its mutex 2 tokens: l0c_to_gm_nz2nd() may store the next tile while this one is read
            handoff.ready()
            handoff.wait()
            ub <<= ws[core, row:row + 32, 0:64]
            handoff.free()
            c[m0 + row:m0 + row + 32, 0:64] <<= ub
            count += 1
    return c
