"""The vec lanes store as far as half of the valid rows, and the cube loads whole tiles."""
from easyasc.a2 import *


@kernel()
def bad_moving_halves(x: GMTensor, w: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.half, [32, 64], Position.UB)
    ub_y = Tensor(DT.half, [32, 64], Position.UB)
    l1_x = Tensor(DT.half, [64, 64], Position.L1)
    l1_w = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 2, 64, 64])
    handoff = VcMutex(0, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    count = Var(0)
    l1_w <<= w[0:64, 0:64]
    with auto_sync():
        for m0 in range(core * 64, M, GetCubeNum() * 64):
            valid_m = Min(64, M - m0)
            half = CeilDiv(valid_m, 2)
            start = GetSubBlockIdx() * half
            rows = Min(half, valid_m - start)
            ub[0:rows, 0:64] <<= x[m0 + start:m0 + start + rows, 0:64]
            relu(ub_y, ub)
            handoff.lock()
            ws[core, var_mod(count, 2), start:start + rows, 0:64] <<= ub_y[0:rows, 0:64]  #~ WARNING sub-block-split: the cube takes 64 rows
            handoff.ready()
            handoff.wait()
            l1_x <<= ws[core, var_mod(count, 2), 0:64, 0:64]
            handoff.free()
            matmul(acc, l1_x, l1_w, m=64, n=64, k=64)
            y[m0:m0 + valid_m, 0:64] <<= acc[0:valid_m, 0:64]
            count += 1
    return y
