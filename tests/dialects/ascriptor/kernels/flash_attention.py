"""Flash attention, forward pass: the cube is one tile of scores ahead of the vector unit.

    s   = scale * q[b].astype(f32) @ k[b].astype(f32).T
    p   = np.exp(s - s.max(axis=1, keepdims=True))
    out = (p.astype(f16) @ v[b] / p.sum(axis=1, keepdims=True)).astype(f16)

    q, out  f16  [BH, S1, 64];   k, v  f16  [BH, S2, 64]      any BH, S1, S2 >= 1

    cube  S_j = Q K_j^T                             -> scores, mutex 0
    cube  O_{j-1} = P_{j-1} V_{j-1}                 -> values, mutex 2
    vec   acc = acc * exp(m_old - m) + O_{j-1}
    vec   P_j = exp(S_j - m), m and l are running   -> probs, mutex 1

Each step of the inner loop makes tile j and uses tile j - 1, so all three rings go by one
counter: slots `beat` and `beat - 1` of two.

Tails: rows after S1 travel with their tile and are not stored. Columns after S2 are replaced
before the maximum, and the second product takes the valid keys alone (k=valid_v).
"""
from ascriptor.a2 import *

TILE_M = 64
TILE_N = 128
HALF = TILE_M // 2
D = 64
LANES = 64
LOWEST = -1.0e30

# Lanes of a 64-lane repeat whose number has bit 0, 1, .. 5 set.
LANES_WITH_BIT = (
    0xAAAAAAAAAAAAAAAA,
    0xCCCCCCCCCCCCCCCC,
    0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000,
    0xFFFFFFFF00000000,
)


@func()
def number_columns(columns, ramp):
    """columns[r, j] = j for a tile of 128 columns."""
    dup(ramp, 0.0)
    for bit in unroll(6):
        set_mask(0, LANES_WITH_BIT[bit])
        adds(ramp, ramp, 1.0 * (1 << bit))
    reset_mask()
    adds(columns[:, 0:LANES], ramp, 0.0)
    adds(columns[:, LANES:TILE_N], ramp, 1.0 * LANES)


@func()
def spread(wide, rows):
    """One row value into each block of [32, 8]."""
    brcb(wide, rows, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)


@kernel(block_dim=20)
def flash_attention(
    q: GM[f16, ("BH", "S1", D)],
    k: GM[f16, ("BH", "S2", D)],
    v: GM[f16, ("BH", "S2", D)],
    out: GM[f16, ("BH", "S1", D)],
    scale: f32,
):
    l1_q = DBuff(f16, [TILE_M, D], Position.L1)
    l1_k = DBuff(f16, [TILE_N, D], Position.L1)
    l1_v = DBuff(f16, [TILE_N, D], Position.L1)
    l1_p = DBuff(f16, [TILE_M, TILE_N], Position.L1)
    l0c_s = DBuff(f32, [TILE_M, TILE_N], Position.L0C)
    l0c_o = DBuff(f32, [TILE_M, D], Position.L0C)

    ub_s = DBuff(f32, [HALF, TILE_N], Position.UB)
    ub_o = DBuff(f32, [HALF, D], Position.UB)
    ub_p = DBuff(f16, [HALF, TILE_N], Position.UB)
    acc = Tensor(f32, [HALF, D], Position.UB)
    ub_out = Tensor(f16, [HALF, D], Position.UB)
    folded = Tensor(f32, [HALF, LANES], Position.UB)
    shrink8 = Tensor(f32, [HALF, 8], Position.UB)
    row8 = Tensor(f32, [HALF, 8], Position.UB)
    run_max = Tensor(f32, [1, LANES], Position.UB)
    new_max = Tensor(f32, [1, LANES], Position.UB)
    run_sum = Tensor(f32, [1, LANES], Position.UB)
    tile_row = Tensor(f32, [1, LANES], Position.UB)
    shrink = Tensor(f32, [1, LANES], Position.UB)
    ones = Tensor(f32, [1, LANES], Position.UB)
    ramp = Tensor(f32, [1, LANES], Position.UB)
    columns = Tensor(f32, [HALF, TILE_N], Position.UB)
    inside = Tensor(u8, [HALF, TILE_N // 8], Position.UB)
    lowest = Tensor(f32, [1, LANES], Position.UB)

    scores = GMBuff(f32, [TILE_M, TILE_N], 2)
    probs = GMBuff(f16, [TILE_M, TILE_N], 2)
    values = GMBuff(f32, [TILE_M, D], 2)
    scores_full = CvMutex(0, depth=2)
    probs_full = VcMutex(1, depth=2, dst_end_pipe=Pipe.MTE2)
    values_full = CvMutex(2, depth=2)

    half_row = GetSubBlockIdx() * HALF
    tiles_m = CeilDiv(S1, TILE_M)
    tiles_n = CeilDiv(S2, TILE_N)
    last_n = S2 - (tiles_n - 1) * TILE_N
    beat = Var(0)
    units = Var(0)

    number_columns(columns, ramp)
    # All rows of the last tile end at the same column.
    compare_scalar(inside, columns, last_n * 1.0, CompareMode.LT)
    dup(lowest, LOWEST)
    dup(ones, 1.0)

    for unit in range(GetCubeIdx(), BH * tiles_m, GetCubeNum()):
        with auto_sync():
            batch = unit // tiles_m
            m0 = unit % tiles_m * TILE_M
            valid_m = Min(TILE_M, S1 - m0)
            l1_q[units] <<= q[batch, m0:m0 + valid_m, 0:D]
            dup(run_max, LOWEST)
            dup(run_sum, 0.0)
            dup(acc, 0.0)

            for step in range(tiles_n + 1):
                # ---- cube: scores of tile `step`
                if step < tiles_n:
                    n0 = step * TILE_N
                    valid_n = Min(TILE_N, S2 - n0)
                    l1_k[beat] <<= k[batch, n0:n0 + valid_n, 0:D]
                    matmul(l0c_s[beat], l1_q[units], l1_k[beat], m=TILE_M, n=TILE_N, k=D)
                    scores_full.lock()
                    scores[beat] <<= l0c_s[beat]
                    scores_full.ready()

                # ---- cube and vec: values of tile `step - 1`
                if step > 0:
                    v0 = (step - 1) * TILE_N
                    valid_v = Min(TILE_N, S2 - v0)
                    late = beat - 1
                    l1_v[late] <<= v[batch, v0:v0 + valid_v, 0:D]
                    probs_full.wait()
                    l1_p[late] <<= probs[late]
                    probs_full.free()
                    matmul(l0c_o[late], l1_p[late], l1_v[late].T, m=TILE_M, n=D, k=valid_v)
                    values_full.lock()
                    values[late] <<= l0c_o[late]
                    values_full.ready()

                    values_full.wait()
                    ub_o[late] <<= values[late][half_row:half_row + HALF, 0:D]
                    values_full.free()
                    mul(acc, acc, shrink8)
                    add(acc, acc, ub_o[late])

                # ---- vec: weights of tile `step`
                if step < tiles_n:
                    scores_full.wait()
                    ub_s[beat] <<= scores[beat][half_row:half_row + HALF, 0:TILE_N]
                    scores_full.free()
                    muls(ub_s[beat], ub_s[beat], scale)
                    if step == tiles_n - 1:
                        select(ub_s[beat], inside, ub_s[beat], lowest, SelectMode.TENSOR_SCALAR)
                    vmax(folded, ub_s[beat, :, 0:LANES], ub_s[beat, :, LANES:TILE_N])
                    cmax(tile_row, folded)
                    vmax(new_max, run_max, tile_row)
                    sub(shrink, run_max, new_max)
                    exp(shrink, shrink)
                    spread(shrink8, shrink)
                    spread(row8, new_max)
                    ub_to_ub(run_max, new_max)
                    sub(ub_s[beat, :, 0:LANES], ub_s[beat, :, 0:LANES], row8)
                    sub(ub_s[beat, :, LANES:TILE_N], ub_s[beat, :, LANES:TILE_N], row8)
                    exp(ub_s[beat], ub_s[beat])
                    add(folded, ub_s[beat, :, 0:LANES], ub_s[beat, :, LANES:TILE_N])
                    cadd(tile_row, folded)
                    mul(run_sum, run_sum, shrink)
                    add(run_sum, run_sum, tile_row)
                    cast(ub_p[beat], ub_s[beat], round_mode=RoundMode.TO_EVEN)
                    probs_full.lock()
                    probs[beat][half_row:half_row + HALF, 0:TILE_N] <<= ub_p[beat]
                    probs_full.ready()
                    beat += 1

            div(shrink, ones, run_sum)
            spread(row8, shrink)
            mul(acc, acc, row8)
            cast(ub_out, acc, round_mode=RoundMode.TO_EVEN)
            row0 = Min(m0 + half_row, S1)
            rows = Min(HALF, S1 - row0)
            out[batch, row0:row0 + rows, 0:D] <<= ub_out[0:rows, 0:D]
            units += 1

    return out


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for BH, S1, S2 in [(1, 64, 128), (2, 33, 127), (1, 1, 257), (3, 95, 1), (21, 65, 129)]:
        q = torch.randn(BH, S1, D).half()
        k = torch.randn(BH, S2, D).half()
        v = torch.randn(BH, S2, D).half()
        out = torch.empty(BH, S1, D).half()
        OpExec(flash_attention, launcher="sim")(q, k, v, out, 0.125)
