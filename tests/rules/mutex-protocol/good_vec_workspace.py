"""A workspace that only vec lanes use is no matter of the mutex around one of its loads."""
from easyasc.a2 import *


@kernel()
def spill(a: GMTensor, b: GMTensor, x: GMTensor, c: GMTensor, M: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = DBuff(DT.float, [32, 64], Position.UB)
    spare = DBuff(DT.float, [32, 64], Position.UB)
    out = DBuff(DT.float, [32, 64], Position.UB)
    kept = Tensor(DT.float, [32, 64], Position.UB)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    own = split_workspace(DT.float, [GetVecNum(), 32, 64])
    handoff = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    lane = GetVecIdx()
    count = Var(0)
    row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        kept <<= x[0:32, 0:64]
        own[lane, 0:32, 0:64] <<= kept
        stored.set()
        stored.wait()
        l1_b <<= b[0:64, 0:64]
        kept <<= own[lane, 0:32, 0:64]
        for tile in range(core, M // 64, GetCubeNum()):
            m0 = Var(tile * 64)
            slot = Var(var_mod(count, 2))
            l1_a[count] <<= a[m0:m0 + 64, 0:64]
            matmul(acc, l1_a[count], l1_b, m=64, n=64, k=64)
            handoff.lock()
            ws[core, slot, 0:64, 0:64] <<= acc
            handoff.ready()

            handoff.wait()
            ub[count] <<= ws[core, slot, row:row + 32, 0:64]
            spare[count] <<= own[lane, 0:32, 0:64]
            handoff.free()
            add(out[count], ub[count], spare[count])
            c[m0 + row:m0 + row + 32, 0:64] <<= out[count]
            count += 1
    return c
