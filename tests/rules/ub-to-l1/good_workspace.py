"""Through a workspace under a mutex."""
from easyasc.a2 import *


TILE = 128
HALF = TILE // 2


@kernel()
def feed(x: GMTensor, w: GMTensor, y: GMTensor, M: Var):
    ub_p = DBuff(DT.half, [HALF, TILE], Position.UB)
    l1_p = DBuff(DT.half, [TILE, TILE], Position.L1)
    l1_w = Tensor(DT.half, [TILE, TILE], Position.L1)
    l0c = DBuff(DT.float, [TILE, TILE], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 2, TILE, TILE])
    vc = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)
    half_row = Var(GetSubBlockIdx() * HALF)
    tiles = Var(M // TILE)
    count = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            m0 = Var(tile * TILE)
            slot = Var(var_mod(count, 2))
            l1_w <<= w[0:TILE, 0:TILE]
            ub_p[count] <<= x[m0 + half_row:m0 + half_row + HALF, 0:TILE]
            vc.lock()
            ws[GetCubeIdx(), slot, half_row:half_row + HALF, 0:TILE] <<= ub_p[count]
            vc.ready()
            vc.wait()
            l1_p[count] <<= ws[GetCubeIdx(), slot, 0:TILE, 0:TILE]
            matmul(l0c[count], l1_p[count], l1_w, m=TILE, n=TILE, k=TILE)
            y[m0:m0 + TILE, 0:TILE] <<= l0c[count]
            vc.free()
            count += 1

    return y
