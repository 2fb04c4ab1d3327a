"""Cores without work give back what they never took."""
from easyasc.a2 import *

@kernel()
def unguarded(a: GMTensor, y: GMTensor, M: Var):
    l1 = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    bridge = CvMutex(0, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1 <<= a[0:64, 0:64]
        matmul(l0c, l1, l1)
        if core < M:
            bridge.lock()
            ws[core, 0:64, 0:64] <<= l0c
            bridge.ready()
            bridge.wait()
            ub <<= ws[core, half:half + 32, 0:64]
            y[core, half:half + 32, 0:64] <<= ub
        bridge.free()  #~ WARNING release-unguarded: `bridge.free()` is outside of the branch
    return y
