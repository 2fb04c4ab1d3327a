"""Flash attention, forward pass, with both A2 bridges.

    s   = scale * q[b].astype(f32) @ k[b].astype(f32).T
    p   = np.exp(s - s.max(axis=1, keepdims=True))
    out = (p.astype(f16) @ v[b] / p.sum(axis=1, keepdims=True)).astype(f16)

    q    half  [BH, S1, 128]
    k    half  [BH, S2, 128]
    v    half  [BH, S2, 128]
    out  half  [BH, S1, 128]      any BH, S1, S2 >= 1

The maximum, the sum and the numerator are running values: each K/V tile j
rescales them by exp(m_old - m_new).  The inner loop is a two-stage pipeline
with a lag of one tile, drained by one extra trip:

    trip j, stage 1   cube  S_j = Q K_j^T                 -> ws_s (mutex 0)
                      vec   P_j = exp(S_j - m), m, l      -> ws_p (mutex 1)
    trip j, stage 2   cube  O_{j-1} = P_{j-1} V_{j-1}     -> ws_o (mutex 2)
                      vec   acc = acc * exp(dm_{j-1}) + O_{j-1}

Tails: S1 is clipped when q is loaded and out is stored, S2 when k and v are
loaded.  Score columns behind S2 are replaced by -1e30 before the row maximum,
so their P is exactly zero and the idle rows of the V tile do not matter.

Memory in bytes:
    L1   l1_q      128 x 128 x 2 =  32768
         l1_k  2 x 128 x 128 x 2 =  65536
         l1_v  2 x 128 x 128 x 2 =  65536
         l1_p      128 x 128 x 2 =  32768      196608 of 524288 per core
    L0A, L0B  128 x 128 x 2      =  32768 per half
    L0C  l0c_s     128 x 128 x 4 =  65536
         l0c_o     128 x 128 x 4 =  65536      131072 of 131072
    UB   ub_s   2 x 64 x 128 x 4 =  65536
         ub_o       64 x 128 x 4 =  32768
         acc        64 x 128 x 4 =  32768
         ub_p       64 x 128 x 2 =  16384
         ub_out     64 x 128 x 2 =  16384
         folded     64 x  64 x 4 =  16384
         shrink8 2 x 64 x 8 x 4  =   4096
         max8, inv8  64 x 8 x 4  =   4096
         nine row vectors        =   2304
         tail_mask      64 x 16  =   1024
         columns     1 x 128 x 4 =    512
         lowest      1 x  64 x 4 =    256      192512 of 196608 per sub-block
    GM   ws_s, ws_o  cores x 2 x 128 x 128 x 4;  ws_p  cores x 2 x 128 x 128 x 2
"""
from easyasc.a2 import *

TILE_M = 128
TILE_N = 128
HEAD_DIM = 128
HALF_M = TILE_M // 2
LANES = 256 // 4              # float lanes of one vector repeat
BLOCK = 32 // 4               # floats of one 32-byte block
MASK_BYTES = TILE_N // 8
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
def clear_l1(pair):
    set_constant_to_l1(pair[0], 0.0)
    set_constant_to_l1(pair[1], 0.0)


@func()
def number_columns(columns):
    """columns[0, j] = j, built with six masked additions (and no scalar stores)."""
    dup(columns, 0)
    for bit in unroll(6):
        bar_v()
        set_mask(0, LANES_WITH_BIT[bit])
        adds(columns[0:1, 0:LANES], columns[0:1, 0:LANES], 1 << bit)
    reset_mask()
    bar_v()
    adds(columns[0:1, LANES:TILE_N], columns[0:1, 0:LANES], LANES)
    bar_v()


@func()
def spread(wide, rows):
    """[64, 1] row values -> [64, 8], each value filling one block."""
    brcb(wide, rows, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF_M // 8)


@func()
def multiply_rows(tile, wide):
    """tile[r, :] *= wide[r, 0] for a [64, 128] tile, 64 columns at a time."""
    mul(tile[0:HALF_M, 0:LANES], tile[0:HALF_M, 0:LANES], wide)
    mul(tile[0:HALF_M, LANES:TILE_N], tile[0:HALF_M, LANES:TILE_N], wide)


@kernel()
def flash_attention(
    q: GMTensor,
    k: GMTensor,
    v: GMTensor,
    out: GMTensor,
    BH: Var,
    S1: Var,
    S2: Var,
    scale: Var,
):
    l1_q = Tensor(DT.half, [TILE_M, HEAD_DIM], Position.L1)
    l1_k = DBuff(DT.half, [TILE_N, HEAD_DIM], Position.L1)
    l1_v = DBuff(DT.half, [TILE_N, HEAD_DIM], Position.L1)
    l1_p = Tensor(DT.half, [TILE_M, TILE_N], Position.L1)
    l0c_s = Tensor(DT.float, [TILE_M, TILE_N], Position.L0C)
    l0c_o = Tensor(DT.float, [TILE_M, HEAD_DIM], Position.L0C)

    ub_s = DBuff(DT.float, [HALF_M, TILE_N], Position.UB)
    ub_o = Tensor(DT.float, [HALF_M, HEAD_DIM], Position.UB)
    acc = Tensor(DT.float, [HALF_M, HEAD_DIM], Position.UB)
    ub_p = Tensor(DT.half, [HALF_M, TILE_N], Position.UB)
    ub_out = Tensor(DT.half, [HALF_M, HEAD_DIM], Position.UB)
    folded = Tensor(DT.float, [HALF_M, LANES], Position.UB)

    # exp(m_old - m_new) outlives its trip by one (the lag), hence two slots.
    shrink8 = DBuff(DT.float, [HALF_M, BLOCK], Position.UB)
    max8 = Tensor(DT.float, [HALF_M, BLOCK], Position.UB)
    inv8 = Tensor(DT.float, [HALF_M, BLOCK], Position.UB)

    run_max = Tensor(DT.float, [HALF_M, 1], Position.UB)
    new_max = Tensor(DT.float, [HALF_M, 1], Position.UB)
    tile_max = Tensor(DT.float, [HALF_M, 1], Position.UB)
    shrink = Tensor(DT.float, [HALF_M, 1], Position.UB)
    run_sum = Tensor(DT.float, [HALF_M, 1], Position.UB)
    tile_sum = Tensor(DT.float, [HALF_M, 1], Position.UB)
    inverse = Tensor(DT.float, [HALF_M, 1], Position.UB)
    zeros = Tensor(DT.float, [HALF_M, 1], Position.UB)
    ones = Tensor(DT.float, [HALF_M, 1], Position.UB)

    columns = Tensor(DT.int, [1, TILE_N], Position.UB)
    tail_mask = Tensor(DT.uint8, [HALF_M, MASK_BYTES], Position.UB)
    lowest = Tensor(DT.float, [1, LANES], Position.UB)

    ws_s = split_workspace(DT.float, [GetCubeNum(), 2, TILE_M, TILE_N])
    ws_p = split_workspace(DT.half, [GetCubeNum(), 2, TILE_M, TILE_N])
    ws_o = split_workspace(DT.float, [GetCubeNum(), 2, TILE_M, HEAD_DIM])
    score_ready = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    prob_ready = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)
    value_ready = CvMutex(2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)

    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * HALF_M)
    tiles_m = CeilDiv(S1, TILE_M)
    tiles_n = CeilDiv(S2, TILE_N)
    units = Var(BH * tiles_m)
    last_n = Var(S2 - (tiles_n - 1) * TILE_N)

    # Each counter turns the slots of its own stage, once per stage executed.
    # Within a unit `second` trails `first` by one; between units they agree.
    first = Var(0)
    second = Var(0)

    # ---- what stays the same for all units.  L1 rows behind a tail must be
    # finite, because full tiles are multiplied and published.
    set_constant_to_l1(l1_q, 0.0)
    clear_l1(l1_k)
    clear_l1(l1_v)
    dup(zeros, 0.0)
    dup(ones, 1.0)
    dup(lowest, LOWEST)
    number_columns(columns)
    # All rows of the last tile end at the same column: one packed row of
    # 16 bytes per tile row, bit j = column j lies before S2.
    for r in range(0, HALF_M):
        compare_scalar(tail_mask[r:r + 1, 0:MASK_BYTES], columns, last_n, CompareMode.LT)
    bar_all()

    with auto_sync():
        for unit in range(core, units, GetCubeNum()):
            batch = Var(unit // tiles_m)
            m0 = Var((unit - batch * tiles_m) * TILE_M)
            valid_m = Min(TILE_M, S1 - m0)

            l1_q <<= q[batch, m0:m0 + valid_m, 0:HEAD_DIM]
            dup(run_max, LOWEST)
            dup(run_sum, 0.0)
            dup(acc, 0.0)

            for trip in range(0, tiles_n + 1):
                # ================= stage 1: scores and probabilities of tile `trip`
                if trip < tiles_n:
                    n0 = Var(trip * TILE_N)
                    valid_n = Min(TILE_N, S2 - n0)
                    slot = Var(var_mod(first, 2))

                    l1_k[first] <<= k[batch, n0:n0 + valid_n, 0:HEAD_DIM]
                    matmul(l0c_s, l1_q, l1_k[first], m=TILE_M, n=TILE_N, k=HEAD_DIM)
                    score_ready.lock()
                    ws_s[core, slot, 0:TILE_M, 0:TILE_N] <<= l0c_s
                    score_ready.ready()

                    score_ready.wait()
                    ub_s[first] <<= ws_s[core, slot, half_row:half_row + HALF_M, 0:TILE_N]
                    score_ready.free()

                    muls(ub_s[first], ub_s[first], scale)
                    if valid_n < TILE_N:
                        select(ub_s[first], tail_mask, ub_s[first], lowest, SelectMode.TENSOR_SCALAR)

                    # Row maximum: fold 128 columns to 64, then one repeat per row.
                    vmax(folded, ub_s[first][0:HALF_M, 0:LANES], ub_s[first][0:HALF_M, LANES:TILE_N])
                    cmax(tile_max, folded)
                    vmax(new_max, run_max, tile_max)
                    sub(shrink, run_max, new_max)
                    exp(shrink, shrink)
                    spread(shrink8[first], shrink)
                    # ub_to_ub would move one block per row; add copies scalars.
                    add(run_max, new_max, zeros)

                    spread(max8, new_max)
                    sub(ub_s[first][0:HALF_M, 0:LANES], ub_s[first][0:HALF_M, 0:LANES], max8)
                    sub(ub_s[first][0:HALF_M, LANES:TILE_N], ub_s[first][0:HALF_M, LANES:TILE_N], max8)
                    exp(ub_s[first], ub_s[first])

                    # Row sum in float, before P is rounded to half.
                    add(folded, ub_s[first][0:HALF_M, 0:LANES], ub_s[first][0:HALF_M, LANES:TILE_N])
                    cadd(tile_sum, folded)
                    mul(run_sum, run_sum, shrink)
                    add(run_sum, run_sum, tile_sum)

                    cast(ub_p, ub_s[first], round_mode=RoundMode.TO_EVEN)
                    prob_ready.lock()
                    ws_p[core, slot, half_row:half_row + HALF_M, 0:TILE_N] <<= ub_p
                    prob_ready.ready()
                    first += 1

                # ================= stage 2: values of tile `trip - 1`
                if trip > 0:
                    v0 = Var((trip - 1) * TILE_N)
                    valid_v = Min(TILE_N, S2 - v0)
                    late_slot = Var(var_mod(second, 2))

                    l1_v[second] <<= v[batch, v0:v0 + valid_v, 0:HEAD_DIM]
                    prob_ready.wait()
                    l1_p <<= ws_p[core, late_slot, 0:TILE_M, 0:TILE_N]
                    # v is stored [keys, head]: the transposed operand makes it [head, keys].
                    matmul(l0c_o, l1_p, l1_v[second].T, m=TILE_M, n=HEAD_DIM, k=TILE_N)
                    value_ready.lock()
                    ws_o[core, late_slot, 0:TILE_M, 0:HEAD_DIM] <<= l0c_o
                    value_ready.ready()
                    # On FIX, behind the store: P has been read for good by then.
                    prob_ready.free()

                    value_ready.wait()
                    ub_o <<= ws_o[core, late_slot, half_row:half_row + HALF_M, 0:HEAD_DIM]
                    value_ready.free()
                    multiply_rows(acc, shrink8[second])
                    add(acc, acc, ub_o)
                    second += 1

            # ---- divide by the row sum and store this sub-block's valid rows
            div(inverse, ones, run_sum)
            spread(inv8, inverse)
            multiply_rows(acc, inv8)
            cast(ub_out, acc, round_mode=RoundMode.TO_EVEN)
            local_m = Min(HALF_M, Max(valid_m - half_row, 0))
            row0 = Min(m0 + half_row, S1)
            out[batch, row0:row0 + local_m, 0:HEAD_DIM] <<= ub_out[0:local_m, 0:HEAD_DIM]

    return out


if __name__ == "__main__":
    import torch

    scale = 0.08838834764831845  # 1 / sqrt(128)
    # One tile; tails in both lengths; one key; more units (24) than cores.
    for BH, S1, S2 in [(1, 128, 128), (2, 65, 127), (1, 1, 257), (2, 191, 321), (8, 260, 1), (1, 63, 320)]:
        q = torch.randn(BH, S1, HEAD_DIM).half()
        k = torch.randn(BH, S2, HEAD_DIM).half()
        v = torch.randn(BH, S2, HEAD_DIM).half()
        out = torch.zeros(BH, S1, HEAD_DIM).half()
        OpExec(flash_attention, "", simulator=True)(q, k, v, out, BH, S1, S2, scale)
