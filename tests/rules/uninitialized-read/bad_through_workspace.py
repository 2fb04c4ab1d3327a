"""Rows of a tail tile that nobody loaded go through a workspace, and out."""
import torch

from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, y: GMTensor, M: Var, N: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    row_max = Tensor(DT.float, [32, 1], Position.UB)
    max8 = Tensor(DT.float, [32, 8], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    handoff = CvMutex(0, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1_b <<= b[0:64, 0:64]
        for tile in range(core, CeilDiv(M, 64), GetCubeNum()):
            m0 = Var(tile * 64)
            valid_m = Min(64, M - m0)
            l1_a <<= a[m0:m0 + valid_m, 0:64]
            matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
            handoff.lock()
            ws[core, 0:64, 0:64] <<= acc
            handoff.ready()

            handoff.wait()
            ub <<= ws[core, half_row:half_row + 32, 0:64]
            handoff.free()
            muls(out, ub, 0.125)
            cmax(row_max, out)
            brcb(max8, row_max, dst_blk_stride=1, dst_rep_stride=8, repeat=4)
            sub(out, out, max8)
            local_m = Min(32, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, M)
            y[m0 + half_row:m0 + half_row + 32, 0:64] <<= out  #~ ERROR uninitialized-read: stores undefined elements of `out` (its `src`) to `y`
    return y


if __name__ == "__main__":
    for M, N in [(33, 64)]:
        a = torch.randn(M, 64).half()
        b = torch.randn(64, 64).half()
        y = torch.zeros(64, N)
        OpExec(bridge, "", simulator=True)(a, b, y, M, N)
