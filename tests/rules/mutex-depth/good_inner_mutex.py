"""The ring of two slots goes by its own mutex, not by the deeper one around it."""
import torch

from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, c: GMTensor, d: GMTensor, M: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = DBuff(DT.float, [64, 64], Position.L0C)
    ub = DBuff(DT.float, [32, 64], Position.UB)
    plain = DBuff(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 3, 64, 64])
    single = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    outer = CvMutex(0, depth=3, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    inner = CvMutex(1, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    count = Var(0)
    row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1_b <<= b[0:64, 0:64]
        for tile in range(core, M // 64, GetCubeNum()):
            m0 = Var(tile * 64)
            l1_a[count] <<= a[m0:m0 + 64, 0:64]
            matmul(acc[count], l1_a[count], l1_b, m=64, n=64, k=64)
            outer.lock()
            inner.lock()
            single[core, var_mod(count, 2), 0:64, 0:64] <<= acc[count]
            inner.ready()
            ws[core, var_mod(count, 3), 0:64, 0:64] <<= acc[count]
            outer.ready()

            outer.wait()
            ub[count] <<= ws[core, var_mod(count, 3), row:row + 32, 0:64]
            inner.wait()
            plain[count] <<= single[core, var_mod(count, 2), row:row + 32, 0:64]
            inner.free()
            outer.free()
            c[m0 + row:m0 + row + 32, 0:64] <<= ub[count]
            d[m0 + row:m0 + row + 32, 0:64] <<= plain[count]
            count += 1
    return c, d

