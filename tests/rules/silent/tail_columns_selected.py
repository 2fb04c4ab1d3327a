"""Columns that nobody loaded cross a workspace and are replaced before anything is reduced."""
import torch

from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, y: GMTensor, N: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    columns = Tensor(DT.int, [1, 64], Position.UB)
    inside = Tensor(DT.uint8, [32, 8], Position.UB)
    lowest = Tensor(DT.float, [1, 64], Position.UB)
    total = Tensor(DT.float, [32, 1], Position.UB)
    total8 = Tensor(DT.float, [32, 8], Position.UB)
    numbered = SEvent(Pipe.S, Pipe.V)
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
        with vec_scope():
            for i in range(0, 64):
                i.SetValueTo(columns[0:1, i:i + 1])
        numbered.set()
        numbered.wait()
        dup(lowest, -1.0e30)
        for r in range(0, 32):
            compare_scalar(inside[r:r + 1, 0:8], columns, N, CompareMode.LT)
        select(out, inside, ub, lowest, SelectMode.TENSOR_SCALAR)
        cmax(total, out)
        brcb(total8, total, dst_blk_stride=1, dst_rep_stride=8, repeat=4)
        sub(out, ub, total8)
        y[half_row:half_row + 32, 0:N] <<= out[0:32, 0:N]
    return y


if __name__ == "__main__":
    a = torch.randn(64, 64).half()
    b = torch.randn(48, 64).half()
    y = torch.zeros(64, 48)
    OpExec(bridge, "", simulator=True)(a, b, y, 48)
