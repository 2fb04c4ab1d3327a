"""Rows that no lane loaded cross to the cube, which stores them."""
import torch

from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, y: GMTensor, M: Var, N: Var):
    ub = Tensor(DT.half, [32, 64], Position.UB)
    scaled = Tensor(DT.half, [32, 64], Position.UB)
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    handoff = VcMutex(1, depth=1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1_b <<= b[0:N, 0:64]
        for tile in range(core, CeilDiv(M, 64), GetCubeNum()):
            m0 = Var(tile * 64)
            valid_m = Min(64, M - m0)
            local_m = Min(32, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, M)
            ub[0:local_m, 0:64] <<= a[row0:row0 + local_m, 0:64]
            muls(scaled, ub, 0.125)
            handoff.lock()
            ws[core, half_row:half_row + 32, 0:64] <<= scaled
            handoff.ready()

            handoff.wait()
            l1_a <<= ws[core, 0:64, 0:64]
            handoff.free()
            matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
            y[m0:m0 + 64, 0:N] <<= acc[0:64, 0:N]  #~ ERROR uninitialized-read: stores undefined elements of `acc[0:64, 0:N]` (its `src`) to `y`
    return y


if __name__ == "__main__":
    for M, N in [(33, 64)]:
        a = torch.randn(M, 64).half()
        b = torch.randn(N, 64).half()
        y = torch.zeros(64, N)
        OpExec(bridge, "", simulator=True)(a, b, y, M, N)
