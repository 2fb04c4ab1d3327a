"""Flash attention with a running maximum; tail tiles travel whole and are cut at the last store.

    s   = scale * q[b].astype(f32) @ k[b].astype(f32).T
    p   = np.exp(s - s.max(axis=1, keepdims=True))
    out = (p.astype(f16) @ v[b] / p.sum(axis=1, keepdims=True)).astype(f16)

    q    half  [BH, S1, 64]
    k    half  [BH, S2, 64]
    v    half  [BH, S2, 64]
    out  half  [BH, S1, 64]      any BH, S1, S2 >= 1

Per tile of keys:

    cube  S = Q K^T                                   -> ws_s (mutex 0)
    vec   P = exp(S - m), m and l are running values  -> ws_p (mutex 1)
    cube  O = P V                                     -> ws_o (mutex 2)
    vec   acc = acc * exp(m_old - m) + O

Tails: nothing is cleared.  Rows of Q after S1 are whatever L1 held, and so are
their rows of S, P and O, which cross the workspaces with the tile and are never
stored.  Columns of S after S2 are replaced before the row maximum, and P V
multiplies the valid rows of V alone.

Memory in bytes:
    L1   l1_q, l1_k, l1_v, l1_p  4 x 2 x 64 x 64 x 2 =  65536 of 524288 per core
    L0C  l0c_s, l0c_o            2 x 2 x 64 x 64 x 4 =  65536 of 131072
    UB   ub_s, ub_o, acc             5 x 32 x 64 x 4 =  40960
         ub_p, ub_out                3 x 32 x 64 x 2 =  12288
         shrink8, max8                 2 x 32 x 8 x 4 =   2048
         rows, columns, masks                        <=   2048 of 196608 per sub-block
    GM   ws_s, ws_o  cores x 2 x 64 x 64 x 4;  ws_p  cores x 2 x 64 x 64 x 2
"""
from easyasc.a2 import *

TILE = 64                     # rows of q and rows of k in a tile
HALF = TILE // 2
HEAD_DIM = 64
LANES = 256 // 4              # float lanes of a repeat; row values use the first HALF of one
BLOCK = 32 // 4               # floats of one 32-byte block
MASK_BYTES = TILE // 8
LOWEST = -1.0e30              # finite stand-in for minus infinity

# Lanes of a 64-lane repeat whose number has bit 0, 1, .. 5 set.
LANES_WITH_BIT = [
    0xAAAAAAAAAAAAAAAA,
    0xCCCCCCCCCCCCCCCC,
    0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000,
    0xFFFFFFFF00000000,
]


@func()
def number_columns(columns):
    """columns[0, j] = j."""
    dup(columns, 0)
    for bit in unroll(6):
        bar_v()
        set_mask(0, LANES_WITH_BIT[bit])
        adds(columns, columns, 1 << bit)
    reset_mask()
    bar_v()


@func()
def spread(wide, rows):
    """[64, 1] row values -> [32, 8], each value filling one block."""
    brcb(wide, rows, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)


@kernel()
def running_attention(
    q: GMTensor,
    k: GMTensor,
    v: GMTensor,
    out: GMTensor,
    BH: Var,
    S1: Var,
    S2: Var,
    scale: Var,
):
    l1_q = DBuff(DT.half, [TILE, HEAD_DIM], Position.L1)
    l1_k = DBuff(DT.half, [TILE, HEAD_DIM], Position.L1)
    l1_v = DBuff(DT.half, [TILE, HEAD_DIM], Position.L1)
    l1_p = DBuff(DT.half, [TILE, TILE], Position.L1)
    l0c_s = DBuff(DT.float, [TILE, TILE], Position.L0C)
    l0c_o = DBuff(DT.float, [TILE, HEAD_DIM], Position.L0C)

    ub_s = DBuff(DT.float, [HALF, TILE], Position.UB)
    ub_o = DBuff(DT.float, [HALF, HEAD_DIM], Position.UB)
    ub_p = DBuff(DT.half, [HALF, TILE], Position.UB)
    acc = Tensor(DT.float, [HALF, HEAD_DIM], Position.UB)
    ub_out = Tensor(DT.half, [HALF, HEAD_DIM], Position.UB)
    shrink8 = Tensor(DT.float, [HALF, BLOCK], Position.UB)
    max8 = Tensor(DT.float, [HALF, BLOCK], Position.UB)

    run_max = Tensor(DT.float, [LANES, 1], Position.UB)
    new_max = Tensor(DT.float, [LANES, 1], Position.UB)
    tile_max = Tensor(DT.float, [LANES, 1], Position.UB)
    shrink = Tensor(DT.float, [LANES, 1], Position.UB)
    run_sum = Tensor(DT.float, [LANES, 1], Position.UB)
    tile_sum = Tensor(DT.float, [LANES, 1], Position.UB)
    zeros = Tensor(DT.float, [LANES, 1], Position.UB)
    ones = Tensor(DT.float, [LANES, 1], Position.UB)

    columns = Tensor(DT.int, [1, TILE], Position.UB)
    tail_mask = Tensor(DT.uint8, [HALF, MASK_BYTES], Position.UB)
    lowest = Tensor(DT.float, [1, TILE], Position.UB)

    ws_s = split_workspace(DT.float, [GetCubeNum(), 2, TILE, TILE])
    ws_p = split_workspace(DT.half, [GetCubeNum(), 2, TILE, TILE])
    ws_o = split_workspace(DT.float, [GetCubeNum(), 2, TILE, HEAD_DIM])
    scores = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    weights = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)
    values = CvMutex(2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)

    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * HALF)
    tiles_m = CeilDiv(S1, TILE)
    tiles_n = CeilDiv(S2, TILE)
    last_n = Var(S2 - (tiles_n - 1) * TILE)
    count = Var(0)            # slots of everything that turns with the tiles of keys
    units = Var(0)            # slots of q

    # What stays the same.  Before these are first read, a vector instruction of
    # the region has met the one before it: auto_sync's barrier orders them, too.
    number_columns(columns)
    for r in range(0, HALF):
        compare_scalar(tail_mask[r:r + 1, 0:MASK_BYTES], columns, last_n, CompareMode.LT)
    dup(zeros, 0.0)
    dup(ones, 1.0)
    dup(lowest, LOWEST)

    with auto_sync():
        for unit in range(core, BH * tiles_m, GetCubeNum()):
            batch = Var(unit // tiles_m)
            m0 = Var((unit - batch * tiles_m) * TILE)
            valid_m = Min(TILE, S1 - m0)

            l1_q[units] <<= q[batch, m0:m0 + valid_m, 0:HEAD_DIM]
            dup(run_max, LOWEST)
            dup(run_sum, 0.0)
            dup(acc, 0.0)

            for nt in range(0, tiles_n):
                n0 = Var(nt * TILE)
                valid_n = Min(TILE, S2 - n0)
                slot = Var(var_mod(count, 2))

                l1_k[count] <<= k[batch, n0:n0 + valid_n, 0:HEAD_DIM]
                matmul(l0c_s[count], l1_q[units], l1_k[count], m=TILE, n=TILE, k=HEAD_DIM)
                scores.lock()
                ws_s[core, slot, 0:TILE, 0:TILE] <<= l0c_s[count]
                scores.ready()

                scores.wait()
                ub_s[count] <<= ws_s[core, slot, half_row:half_row + HALF, 0:TILE]
                scores.free()
                muls(ub_s[count], ub_s[count], scale)
                if valid_n < TILE:
                    select(ub_s[count], tail_mask, ub_s[count], lowest, SelectMode.TENSOR_SCALAR)
                cmax(tile_max, ub_s[count])
                vmax(new_max, run_max, tile_max)
                sub(shrink, run_max, new_max)
                exp(shrink, shrink)
                # ub_to_ub would move one block per row; add copies scalars.
                add(run_max, new_max, zeros)
                spread(max8, new_max)
                sub(ub_s[count], ub_s[count], max8)
                exp(ub_s[count], ub_s[count])
                cadd(tile_sum, ub_s[count])
                mul(run_sum, run_sum, shrink)
                add(run_sum, run_sum, tile_sum)
                cast(ub_p[count], ub_s[count], round_mode=RoundMode.TO_EVEN)
                weights.lock()
                ws_p[core, slot, half_row:half_row + HALF, 0:TILE] <<= ub_p[count]
                weights.ready()

                l1_v[count] <<= v[batch, n0:n0 + valid_n, 0:HEAD_DIM]
                weights.wait()
                l1_p[count] <<= ws_p[core, slot, 0:TILE, 0:TILE]
                weights.free()
                matmul(l0c_o[count], l1_p[count], l1_v[count].T, m=TILE, n=HEAD_DIM, k=valid_n)
                values.lock()
                ws_o[core, slot, 0:TILE, 0:HEAD_DIM] <<= l0c_o[count]
                values.ready()

                values.wait()
                ub_o[count] <<= ws_o[core, slot, half_row:half_row + HALF, 0:HEAD_DIM]
                values.free()
                spread(shrink8, shrink)
                mul(acc, acc, shrink8)
                add(acc, acc, ub_o[count])
                count += 1

            div(shrink, ones, run_sum)
            spread(shrink8, shrink)
            mul(acc, acc, shrink8)
            cast(ub_out, acc, round_mode=RoundMode.TO_EVEN)
            local_m = Min(HALF, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, S1)
            out[batch, row0:row0 + local_m, 0:HEAD_DIM] <<= ub_out[0:local_m, 0:HEAD_DIM]
            units += 1

    return out


if __name__ == "__main__":
    import torch

    scale = 0.125  # 1 / sqrt(64)
    for BH, S1, S2 in [(1, 64, 64), (2, 33, 63), (1, 1, 129), (1, 31, 65), (3, 95, 1), (2, 130, 200)]:
        q = torch.randn(BH, S1, HEAD_DIM).half()
        k = torch.randn(BH, S2, HEAD_DIM).half()
        v = torch.randn(BH, S2, HEAD_DIM).half()
        out = torch.zeros(BH, S1, HEAD_DIM).half()
        OpExec(running_attention, "", simulator=True)(q, k, v, out, BH, S1, S2, scale)
