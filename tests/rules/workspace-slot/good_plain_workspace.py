"""One slot for each core under one token."""
from easyasc.a2 import *


@kernel()
def ws_vec(a: GMTensor, b: GMTensor, c: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    m = CvMutex(0, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    half = Var(GetSubBlockIdx() * 32)
    core = GetCubeIdx()
    with auto_sync():
        for t in range(core, CeilDiv(M, 64), GetCubeNum()):
            m0 = Var(t * 64)
            rows = Min(64, M - m0)
            l1_a <<= a[m0:m0 + rows, 0:64]
            l1_b <<= b[0:64, 0:64]
            matmul(l0c, l1_a, l1_b, m=64, n=64, k=64)
            m.lock()
            ws[core, 0:64, 0:64] <<= l0c
            m.ready()
            m.wait()
            ub <<= ws[core, half:half + 32, 0:64]
            m.free()
            r0 = Min(m0 + half, M)
            lr = Min(32, M - r0)
            c[r0:r0 + lr, 0:64] <<= ub[0:lr, 0:64]
    return c
