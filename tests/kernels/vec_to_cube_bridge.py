"""Scale activations on the vec unit, then multiply them on the cube unit.

    c = (a * scale).astype(f16).astype(f32) @ b.astype(f32).T

    a      float  [M, K]
    scale  float  [K]          one factor per column of a
    b      half   [N, K]
    c      float  [M, N]       16 <= K <= 256, any M and N >= 1

A2 has no path from UB to L1, so the scaled panel travels through GM:

    vec   UB -> (MTE3) ws[core, slot, half of the rows]   lock .. ready
    cube  ws[core, slot] -> (MTE2) L1 .. matmul .. FIX    wait .. free

A work unit is a panel of 64 rows.  It is scaled once and reused for every
tile of 64 columns of c; the slot is released on FIX after the last of them.

Memory in bytes:
    L1   l1_a    2 x 64 x 256 x 2 =  65536
         l1_b    2 x 64 x 256 x 2 =  65536      131072 of 524288 per core
    L0A, L0B     64 x 256 x 2     =  32768 per half
    L0C  l0c     2 x 64 x 64 x 4  =  32768      of 131072
    UB   ub_x    2 x 32 x 256 x 4 =  65536
         ub_y        32 x 256 x 4 =  32768
         ub_z        32 x 256 x 4 =  32768
         ub_h    2 x 32 x 256 x 2 =  32768
         factors      1 x 256 x 4 =   1024
         columns      1 x 256 x 4 =   1024
         inside          32 x 32  =   1024
         nothing      1 x 64 x 4  =    256      167168 of 196608 per sub-block
    GM   ws      cores x 2 x 64 x 256 x 2
"""
from easyasc.a2 import *

TILE_M = 64
TILE_N = 64
HALF_M = TILE_M // 2
PANEL_K = 256
LANES = 256 // 4          # float lanes of one vector repeat
MASK_BYTES = PANEL_K // 8


@func()
def scale_columns(dst, src, row):
    """dst[r, :] = src[r, :] * row, in slices as wide as one repeat.

    The [1, 64] slice of the row gets a repeat stride of zero, so all rows of
    the tile meet the same 64 factors.
    """
    for part in unroll(PANEL_K // LANES):
        lo = part * LANES
        hi = lo + LANES
        mul(dst[0:HALF_M, lo:hi], src[0:HALF_M, lo:hi], row[0:1, lo:hi])


@kernel()
def vec_to_cube_bridge(
    a: GMTensor, scale: GMTensor, b: GMTensor, c: GMTensor, M: Var, N: Var, K: Var
):
    l1_a = DBuff(DT.half, [TILE_M, PANEL_K], Position.L1)
    l1_b = DBuff(DT.half, [TILE_N, PANEL_K], Position.L1)
    l0c = DBuff(DT.float, [TILE_M, TILE_N], Position.L0C)

    ub_x = DBuff(DT.float, [HALF_M, PANEL_K], Position.UB)
    ub_y = Tensor(DT.float, [HALF_M, PANEL_K], Position.UB)
    ub_z = Tensor(DT.float, [HALF_M, PANEL_K], Position.UB)
    ub_h = DBuff(DT.half, [HALF_M, PANEL_K], Position.UB)
    factors = Tensor(DT.float, [1, PANEL_K], Position.UB)
    columns = Tensor(DT.int, [1, PANEL_K], Position.UB)
    inside = Tensor(DT.uint8, [HALF_M, MASK_BYTES], Position.UB)
    nothing = Tensor(DT.float, [1, LANES], Position.UB)

    ws = split_workspace(DT.half, [GetCubeNum(), 2, TILE_M, PANEL_K])
    handoff = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)

    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * HALF_M)
    panels = CeilDiv(M, TILE_M)

    panel_count = Var(0)  # ub_x, ub_h, l1_a and workspace slots
    tile_count = Var(0)   # l1_b and l0c slots

    # ---- what stays the same for all panels
    # Column numbers 0 .. 255, written by the scalar unit of the vec core.
    with vec_scope():
        for i in range(0, PANEL_K):
            i.SetValueTo(columns[0:1, i:i + 1])
    # Rows and columns which no load reaches must be defined before they are
    # multiplied.  The barriers order these fills with the loads that follow.
    dup(ub_x[0], 0.0)
    dup(ub_x[1], 0.0)
    dup(factors, 0.0)
    dup(nothing, 0.0)
    bar_all()
    factors[0:1, 0:K] <<= scale[0:K]
    # One packed mask row per tile row: bit j says whether column j exists.
    for r in range(0, HALF_M):
        compare_scalar(inside[r:r + 1, 0:MASK_BYTES], columns, K, CompareMode.LT)
    bar_all()

    with auto_sync():
        for panel in range(core, panels, GetCubeNum()):
            m0 = Var(panel * TILE_M)
            valid_m = Min(TILE_M, M - m0)
            slot = Var(var_mod(panel_count, 2))

            # ---- vec: 32 rows per sub-block, possibly none of them valid
            local_m = Min(HALF_M, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, M)
            ub_x[panel_count][0:local_m, 0:K] <<= a[row0:row0 + local_m, 0:K]
            scale_columns(ub_y, ub_x[panel_count], factors)

            # The load leaves the rest of its last 32-byte block undefined, and
            # the full-width store below must not publish that.
            select(ub_z, inside, ub_y, nothing, SelectMode.TENSOR_SCALAR)
            cast(ub_h[panel_count], ub_z, round_mode=RoundMode.TO_EVEN)

            # All 32 rows go out, valid or not: the cube reads full panels.
            handoff.lock()
            ws[core, slot, half_row:half_row + HALF_M, 0:PANEL_K] <<= ub_h[panel_count]
            handoff.ready()

            # ---- cube: wait() returns when both sub-blocks are ready
            handoff.wait()
            l1_a[panel_count] <<= ws[core, slot, 0:TILE_M, 0:PANEL_K]
            for n0 in range(0, N, TILE_N):
                valid_n = Min(TILE_N, N - n0)
                l1_b[tile_count] <<= b[n0:n0 + valid_n, 0:K]
                matmul(
                    l0c[tile_count],
                    l1_a[panel_count],
                    l1_b[tile_count],
                    m=TILE_M,
                    n=TILE_N,
                    k=K,
                )
                c[m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[tile_count][0:valid_m, 0:valid_n]
                tile_count += 1
            handoff.free()

            panel_count += 1

    return c


if __name__ == "__main__":
    import torch

    for M, N, K in [(64, 64, 256), (65, 127, 129), (1, 63, 64), (127, 193, 65), (1409, 128, 127)]:
        a = torch.randn(M, K).float()
        scale = torch.rand(K).float()
        b = torch.randn(N, K).half()
        c = torch.zeros(M, N).float()
        OpExec(vec_to_cube_bridge, "", simulator=True)(a, scale, b, c, M, N, K)
