"""The tile is announced when the product is ready, not when it is stored."""
from easyasc.a2 import *


TILE = 128
HALF = TILE // 2


@kernel()
def bridge(a: GMTensor, y: GMTensor, M: Var):
    l1_a = DBuff(DT.half, [TILE, 64], Position.L1)
    l0c = DBuff(DT.float, [TILE, TILE], Position.L0C)
    ub_x = DBuff(DT.float, [HALF, TILE], Position.UB)
    ub_y = DBuff(DT.float, [HALF, TILE], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, TILE, TILE])
    cv = CvMutex(0, src_end_pipe=Pipe.M, dst_end_pipe=Pipe.MTE2)  #~ ERROR cv-mutex-pipes: `src_end_pipe` is M
    half_row = Var(GetSubBlockIdx() * HALF)
    tiles = Var(M // TILE)
    count = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            m0 = Var(tile * TILE)
            slot = Var(var_mod(count, 2))
            l1_a[count] <<= a[m0:m0 + TILE, 0:64]
            matmul(l0c[count], l1_a[count], l1_a[count], m=TILE, n=TILE, k=64)
            cv.lock()
            ws[GetCubeIdx(), slot, 0:TILE, 0:TILE] <<= l0c[count]
            cv.ready()
            cv.wait()
            ub_x[count] <<= ws[GetCubeIdx(), slot, half_row:half_row + HALF, 0:TILE]
            cv.free()
            abs(ub_y[count], ub_x[count])
            y[m0 + half_row:m0 + half_row + HALF, 0:TILE] <<= ub_y[count]
            count += 1

    return y
