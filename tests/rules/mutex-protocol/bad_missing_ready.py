"""The producer never says that the tile is ready."""
from easyasc.a2 import *

@kernel()
def bad_missing_ready(x: GMTensor, b: GMTensor, c: GMTensor):
    p = Tensor(DT.half, [32, 64], Position.UB)
    l1_p = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    bridge = VcMutex(0, depth=1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)
    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        if core == 0:
            p <<= x[half_row:half_row + 32, 0:64]
            bridge.lock()  #~ ERROR mutex-protocol: `bridge.ready()` is never called: the consumer waits for ever
            ws[core, half_row:half_row + 32, 0:64] <<= p[0:32, 0:64]
            bridge.wait()
            l1_p <<= ws[core, 0:64, 0:64]
            l1_b <<= b[0:64, 0:64]
            matmul(l0c, l1_p, l1_b, m=64, n=64, k=64)
            c[0:64, 0:64] <<= l0c
            bridge.free()
    return c


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64).half()
    b = torch.randn(64, 64).half()
    c = torch.zeros(64, 64)
    OpExec(bad_missing_ready, "", simulator=True)(x, b, c)
