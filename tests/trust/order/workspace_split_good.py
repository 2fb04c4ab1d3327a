# Good: vec lanes share out the valid rows of what the cube has stored; sub-block-split is about the other direction.
import torch
from easyasc.a2 import *

T = 64


@kernel()
def project(a: GMTensor, w: GMTensor, y: GMTensor, M: Var):
    la = DBuff(DT.half, [T, T], Position.L1)
    lw = DBuff(DT.half, [T, T], Position.L1)
    acc = DBuff(DT.float, [T, T], Position.L0C)
    inp = DBuff(DT.float, [T // 2, T], Position.UB)
    out = DBuff(DT.float, [T // 2, T], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, T, T])
    bridge = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    n = Var(0)
    with auto_sync():
        for m0 in range(core * T, M, GetCubeNum() * T):
            valid = Min(T, M - m0)
            half = CeilDiv(valid, 2)
            first = Var(GetSubBlockIdx() * half)
            rows = Min(half, valid - first)
            la[n][0:valid, 0:T] <<= a[m0:m0 + valid, 0:T]
            lw[n] <<= w[0:T, 0:T]
            matmul(acc[n], la[n], lw[n], m=T, n=T, k=T)
            bridge.lock()
            ws[core, var_mod(n, 2), 0:T, 0:T] <<= acc[n]
            bridge.ready()
            bridge.wait()
            inp[n][0:rows, 0:T] <<= ws[core, var_mod(n, 2), first:first + rows, 0:T]
            bridge.free()
            relu(out[n], inp[n])
            y[m0 + first:m0 + first + rows, 0:T] <<= out[n][0:rows, 0:T]
            n += 1
    return y


if __name__ == "__main__":
    M = 100
    OpExec(project, "", simulator=True)(torch.randn(M, T).half(), torch.randn(T, T).half(), torch.zeros(M, T), M)
