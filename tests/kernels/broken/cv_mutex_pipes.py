"""A cube-to-vec bridge whose mutex is released on V, as on an A5.

    y = np.abs(a.astype(float32) @ b.astype(float32).T)

    a half [M, 64], b half [N, 64], y float [M, N]
"""
from easyasc.a2 import *

TILE = 128
HALF = TILE // 2
DEPTH = 64


@kernel()
def cv_mutex_pipes(a: GMTensor, b: GMTensor, y: GMTensor, M: Var, N: Var):
    l1_a = DBuff(DT.half, [TILE, DEPTH], Position.L1)
    l1_b = DBuff(DT.half, [TILE, DEPTH], Position.L1)
    l0c = DBuff(DT.float, [TILE, TILE], Position.L0C)
    ub_x = DBuff(DT.float, [HALF, TILE], Position.UB)
    ub_y = Tensor(DT.float, [HALF, TILE], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, TILE, TILE])
    # The first consumer on A2 is the MTE2 load, not a vector instruction.
    cv = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.V)  #~ ERROR cv-mutex-pipes

    half_row = Var(GetSubBlockIdx() * HALF)
    tiles_n = CeilDiv(N, TILE)
    tiles = Var(CeilDiv(M, TILE) * tiles_n)
    count = Var(0)

    # Full tiles are published, so rows behind a tail must be defined.
    for side in unroll(2):
        set_constant_to_l1(l1_a[side], 0.0)
        set_constant_to_l1(l1_b[side], 0.0)
    bar_all()

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            m0 = Var((tile // tiles_n) * TILE)
            n0 = Var((tile - tile // tiles_n * tiles_n) * TILE)
            valid_m = Min(TILE, M - m0)
            valid_n = Min(TILE, N - n0)
            slot = Var(var_mod(count, 2))
            l1_a[count] <<= a[m0:m0 + valid_m, 0:DEPTH]
            l1_b[count] <<= b[n0:n0 + valid_n, 0:DEPTH]
            matmul(l0c[count], l1_a[count], l1_b[count], m=TILE, n=TILE, k=DEPTH)
            cv.lock()
            ws[GetCubeIdx(), slot, 0:TILE, 0:TILE] <<= l0c[count]
            cv.ready()

            cv.wait()
            ub_x[count] <<= ws[GetCubeIdx(), slot, half_row:half_row + HALF, 0:TILE]
            abs(ub_y, ub_x[count])
            cv.free()
            local_m = Min(HALF, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, M)
            y[row0:row0 + local_m, n0:n0 + valid_n] <<= ub_y[0:local_m, 0:valid_n]
            count += 1

    return y


if __name__ == "__main__":
    import torch

    for M, N in [(128, 128), (65, 127)]:
        a = torch.randn(M, DEPTH).half()
        b = torch.randn(N, DEPTH).half()
        y = torch.zeros(M, N).float()
        OpExec(cv_mutex_pipes, "", simulator=True)(a, b, y, M, N)
