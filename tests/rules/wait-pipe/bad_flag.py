"""The load is to wait by itself."""
from easyasc.a2 import *


@kernel()
def bridge(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    core = GetCubeIdx()
    row = Var(GetSubBlockIdx() * 32)
    pass
    with auto_sync():
        l1_a <<= a[core, 0:64, 0:64]
        l1_b <<= b[0:64, 0:64]
        matmul(acc, l1_a, l1_b, m=64, n=64, k=64)
        pass
        ws[core, 0:64, 0:64] <<= acc
        cube_ready(1)
        wait_cube(1, pipe=Pipe.MTE2)  #~ ERROR wait-pipe: wait_cube() on MTE2: a lane waits for other lanes on S
        ub <<= ws[core, row:row + 32, 0:64]
        pass
        c[core, row:row + 32, 0:64] <<= ub
    return c
