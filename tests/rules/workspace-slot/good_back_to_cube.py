"""Inside the stretch in which vec consumes two slots, it hands back through one of its own."""
from easyasc.a2 import *


@kernel()
def there_and_back(a: GMTensor, b: GMTensor, c: GMTensor, M: Var):
    l1_a = DBuff(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l1_p = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    out = Tensor(DT.float, [64, 64], Position.L0C)
    ub = DBuff(DT.float, [32, 64], Position.UB)
    back = Tensor(DT.half, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    single = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    there = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    again = VcMutex(1, depth=1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    count = Var(0)
    row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        l1_b <<= b[0:64, 0:64]
        for tile in range(core, M // 64, GetCubeNum()):
            m0 = Var(tile * 64)
            slot = Var(var_mod(count, 2))
            l1_a[count] <<= a[m0:m0 + 64, 0:64]
            matmul(acc, l1_a[count], l1_b, m=64, n=64, k=64)
            there.lock()
            ws[core, slot, 0:64, 0:64] <<= acc
            there.ready()

            there.wait()
            ub[count] <<= ws[core, slot, row:row + 32, 0:64]
            cast(back, ub[count])
            again.lock()
            single[core, row:row + 32, 0:64] <<= back
            again.ready()
            there.free()

            again.wait()
            l1_p <<= single[core, 0:64, 0:64]
            again.free()
            matmul(out, l1_p, l1_b, m=64, n=64, k=64)
            c[m0:m0 + 64, 0:64] <<= out
            count += 1
    return c
