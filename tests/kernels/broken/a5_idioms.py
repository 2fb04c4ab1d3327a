"""Product and relu, where the tile goes from L0C to UB as on an A5.

    y = np.maximum(a.astype(float32) @ b.astype(float32).T, 0)

    a half [M, 128], b half [N, 128], y float [M, N]
"""
from easyasc.a2 import *

TILE_M = 64
TILE_N = 128
DEPTH = 128
HALF_M = TILE_M // 2


@kernel()
def a5_idioms(a: GMTensor, b: GMTensor, y: GMTensor, M: Var, N: Var):
    l1_a = DBuff(DT.half, [TILE_M, DEPTH], Position.L1)
    l1_b = DBuff(DT.half, [TILE_N, DEPTH], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, TILE_N], Position.L0C)
    ub = Tensor(DT.float, [HALF_M, TILE_N], Position.UB)
    ub_y = DBuff(DT.float, [HALF_M, TILE_N], Position.UB)

    half_row = Var(GetSubBlockIdx() * HALF_M)
    tiles_m = CeilDiv(M, TILE_M)
    tiles_n = CeilDiv(N, TILE_N)
    count = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles_m * tiles_n, GetCubeNum()):
            tile_row = Var(tile // tiles_n)
            m0 = Var(tile_row * TILE_M)
            n0 = Var((tile - tile_row * tiles_n) * TILE_N)
            valid_m = Min(TILE_M, M - m0)
            valid_n = Min(TILE_N, N - n0)
            local_m = Min(HALF_M, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, M)

            l1_a[count] <<= a[m0:m0 + valid_m, 0:DEPTH]
            l1_b[count] <<= b[n0:n0 + valid_n, 0:DEPTH]
            matmul(l0c[0], l1_a[count], l1_b[count], m=TILE_M, n=TILE_N, k=DEPTH)
            # A2 has no such path: it takes a workspace and a CvMutex.
            ub <<= l0c[0]  #~ ERROR l0c-to-ub
            relu(ub_y[count], ub)
            y[row0:row0 + local_m, n0:n0 + valid_n] <<= ub_y[count][0:local_m, 0:valid_n]
            count += 1

    return y


if __name__ == "__main__":
    import torch

    for M, N in [(64, 128), (65, 127)]:
        a = torch.randn(M, DEPTH).half()
        b = torch.randn(N, DEPTH).half()
        y = torch.zeros(M, N).float()
        OpExec(a5_idioms, "", simulator=True)(a, b, y, M, N)
