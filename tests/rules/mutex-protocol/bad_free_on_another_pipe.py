"""The slot is given back on a pipe that does not wait for its load."""
import torch

from easyasc.a2 import *


@kernel()
def k(a: GMTensor, x: GMTensor, c: GMTensor, M: Var):
    ub = DBuff(DT.half, [32, 64], Position.UB)
    l1 = DBuff(DT.half, [64, 64], Position.L1)
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    acc = DBuff(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    vc = VcMutex(0, depth=1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE1)
    core = GetCubeIdx()
    cnt = Var(0)
    row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1_a <<= a[0:64, 0:64]
        for m in range(core * 64, M, GetCubeNum() * 64):
            ub[cnt] <<= x[m + row:m + row + 32, 0:64]
            muls(ub[cnt], ub[cnt], 2.0)
            vc.lock()
            ws[core, row:row + 32, 0:64] <<= ub[cnt]  #~ ERROR mutex-protocol: `vc` is handed over on MTE1, which does not wait for MTE2
            vc.ready()
            vc.wait()
            l1[cnt] <<= ws[core, 0:64, 0:64]
            vc.free()
            matmul(acc[cnt], l1[cnt], l1_a)
            c[m:m + 64, 0:64] <<= acc[cnt]
            cnt += 1
    return c


if __name__ == "__main__":
    M = 6400
    OpExec(k, "", simulator=True)(torch.randn(64, 64).half(), torch.randn(M, 64).half(), torch.zeros(M, 64), M)
