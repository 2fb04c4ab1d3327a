"""Columns that nobody loaded go through a workspace into a sum."""
import torch

from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, y: GMTensor, N: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    total = Tensor(DT.float, [32, 1], Position.UB)
    total8 = Tensor(DT.float, [32, 8], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    handoff = CvMutex(0, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        l1_b[0:N, 0:64] <<= b[0:N, 0:64]
        matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
        handoff.lock()
        ws[core, 0:64, 0:64] <<= acc
        handoff.ready()

        handoff.wait()
        ub <<= ws[core, half_row:half_row + 32, 0:64]
        handoff.free()
        cadd(total, ub)  #~ ERROR uninitialized-read: cadd() reduces undefined elements of `ub` (its `src`) together with defined ones
        brcb(total8, total, dst_blk_stride=1, dst_rep_stride=8, repeat=4)
        sub(out, ub, total8)
        y[half_row:half_row + 32, 0:N] <<= out[0:32, 0:N]
    return y


if __name__ == "__main__":
    a = torch.randn(64, 64).half()
    b = torch.randn(48, 64).half()
    y = torch.zeros(64, 48)
    OpExec(bridge, "", simulator=True)(a, b, y, 48)
