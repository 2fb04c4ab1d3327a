"""A mutex that starts on the pipes of the transfer."""
from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    core = GetCubeIdx()
    row = Var(GetSubBlockIdx() * 32)
    handoff = CvMutex(
        0,
        depth=1,
        src_start_pipe=Pipe.FIX,  #~ ERROR wait-pipe: `src_start_pipe` is FIX
        dst_start_pipe=Pipe.MTE2,  #~ ERROR wait-pipe: `dst_start_pipe` is MTE2
    )
    with auto_sync():
        l1_a <<= a[core, 0:64, 0:64]
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
        handoff.lock()
        ws[core, 0:64, 0:64] <<= acc
        handoff.ready()
        handoff.wait()
        ub <<= ws[core, row:row + 32, 0:64]
        handoff.free()
        c[core, row:row + 32, 0:64] <<= ub
    return c
