"""Block-causal attention: a query sees every key up to the end of its own block of 16.

    seen = np.arange(S)[None, :] // 16 <= np.arange(S)[:, None] // 16
    s    = np.where(seen, scale * q[b] @ k[b].T, -np.inf)
    out  = softmax(s) @ v[b]

    q, k, v, out  f16  [BH, S, 64]      any BH, S >= 1

A tile of 64 queries meets the tiles of keys up to its own. Only there a mask is needed: row r
sees the columns before (r // 16 + 1) * 16, and none after S.

    cube  S = Q K^T                    -> scores, mutex 0
    vec   P = exp(S - m)               -> probs, mutex 1
    cube  O = P V                      -> values, mutex 2
    vec   acc = acc * exp(m_old - m) + O
"""
import ascriptor.a2 as m

TILE = 64
HALF = TILE // 2
BLOCK = 16
D = 64
LOWEST = -1.0e30
BITS = (
    (1.0, 0xAAAAAAAAAAAAAAAA),
    (2.0, 0xCCCCCCCCCCCCCCCC),
    (4.0, 0xF0F0F0F0F0F0F0F0),
    (8.0, 0xFF00FF00FF00FF00),
    (16.0, 0xFFFF0000FFFF0000),
    (32.0, 0xFFFFFFFF00000000),
)


def spread(wide, rows):
    m.brcb(wide, rows, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)


@m.func
def number_columns(columns):
    """columns[0, j] = j."""
    m.dup(columns, 0.0)
    for step, lanes in BITS:
        m.set_mask(0, lanes)
        m.adds(columns, columns, step)
    m.reset_mask()


@m.kernel
def block_causal(
    q: m.GM[m.f16, ("BH", "S", D)],
    k: m.GM[m.f16, ("BH", "S", D)],
    v: m.GM[m.f16, ("BH", "S", D)],
    out: m.GM[m.f16, ("BH", "S", D)],
    S: m.i32,
    scale: m.f32,
):
    l1_q = m.DBuff(m.f16, [TILE, D], m.Position.L1)
    l1_k = m.DBuff(m.f16, [TILE, D], m.Position.L1)
    l1_v = m.DBuff(m.f16, [TILE, D], m.Position.L1, sync_depth=1)
    l1_p = m.TBuff(m.f16, [TILE, TILE], m.Position.L1, sync_depth=2)
    l0c_s = m.DBuff(m.f32, [TILE, TILE], m.Position.L0C)
    l0c_o = m.DBuff(m.f32, [TILE, D], m.Position.L0C)

    ub_s = m.DBuff(m.f32, [HALF, TILE], m.Position.UB)
    ub_o = m.DBuff(m.f32, [HALF, D], m.Position.UB)
    ub_p = m.DBuff(m.f16, [HALF, TILE], m.Position.UB)
    acc = m.Tensor(m.f32, [HALF, D], m.Position.UB)
    ub_out = m.DBuff(m.f16, [HALF, D], m.Position.UB)
    shrink8 = m.Tensor(m.f32, [HALF, 8], m.Position.UB)
    row8 = m.Tensor(m.f32, [HALF, 8], m.Position.UB)
    run_max = m.Tensor(m.f32, [1, TILE], m.Position.UB)
    new_max = m.Tensor(m.f32, [1, TILE], m.Position.UB)
    run_sum = m.Tensor(m.f32, [1, TILE], m.Position.UB)
    tile_row = m.Tensor(m.f32, [1, TILE], m.Position.UB)
    shrink = m.Tensor(m.f32, [1, TILE], m.Position.UB)
    ones = m.Tensor(m.f32, [1, TILE], m.Position.UB)

    columns = m.Tensor(m.f32, [1, TILE], m.Position.UB)
    columns_tile = m.Tensor(m.f32, [HALF, TILE], m.Position.UB)
    block_end = m.Tensor(m.f32, [HALF, TILE], m.Position.UB)
    limit = m.Tensor(m.f32, [HALF, TILE], m.Position.UB)
    visible = m.Tensor(m.u8, [HALF, TILE // 8], m.Position.UB)
    lowest = m.Tensor(m.f32, [1, TILE], m.Position.UB)

    scores = m.GMBuff(m.f32, [TILE, TILE], 2, "scores")
    probs = m.GMBuff(m.f16, [TILE, TILE], 3, "probs")
    values = m.GMBuff(m.f32, [TILE, D], 2, "values")
    scores_full = m.CvMutex(0, guards=l0c_s)
    probs_full = m.VcMutex(1, guards=(l1_p, ub_p), dst_end_pipe=m.Pipe.MTE2)
    values_full = m.CvMutex(2, guards=l0c_o)

    half_row = m.GetSubBlockIdx() * HALF
    tiles = m.CeilDiv(S, TILE)
    beat = m.Var(0)
    units = m.Var(0)

    number_columns(columns)
    m.adds(columns_tile, columns, 0.0)
    for group in m.unroll(HALF // BLOCK):
        first = group * BLOCK
        m.dup(block_end[first:first + BLOCK, :], (half_row + first + BLOCK) * 1.0)
    m.dup(lowest, LOWEST)
    m.dup(ones, 1.0)

    with m.auto_sync():
        for unit in range(m.GetCubeIdx(), BH * tiles, m.GetCubeNum()):
            batch = unit // tiles
            mt = unit - batch * tiles
            m0 = mt * TILE
            valid_m = m.Min(TILE, S - m0)
            l1_q[units] <<= q[batch, m0:m0 + valid_m, 0:D]
            m.dup(run_max, LOWEST)
            m.dup(run_sum, 0.0)
            m.dup(acc, 0.0)

            for nt in range(mt + 1):
                n0 = nt * TILE
                valid_n = m.Min(TILE, S - n0)
                l1_k[beat] <<= k[batch, n0:n0 + valid_n, 0:D]
                l1_v[beat] <<= v[batch, n0:n0 + valid_n, 0:D]
                m.matmul(l0c_s[beat], l1_q[units], l1_k[beat], m=TILE, n=TILE, k=D)
                scores_full.lock()
                scores[beat] <<= l0c_s[beat]
                scores_full.ready()

                with m.vec_scope():
                    scores_full.wait()
                    ub_s[beat] <<= scores[beat][half_row:half_row + HALF, 0:TILE]
                    scores_full.free()
                    m.muls(ub_s[beat], ub_s[beat], scale)
                    if nt == mt:
                        m.vmins(limit, block_end, valid_n * 1.0)
                        m.compare(visible, columns_tile, limit, m.CompareMode.LT)
                        mode = m.SelectMode.TENSOR_SCALAR
                        m.select(ub_s[beat], visible, ub_s[beat], lowest, mode)
                    m.cmax(tile_row, ub_s[beat])
                    m.vmax(new_max, run_max, tile_row)
                    m.sub(shrink, run_max, new_max)
                    m.exp(shrink, shrink)
                    run_max <<= new_max
                    spread(shrink8, shrink)
                    spread(row8, new_max)
                    m.sub(ub_s[beat], ub_s[beat], row8)
                    m.exp(ub_s[beat], ub_s[beat])
                    m.cadd(tile_row, ub_s[beat])
                    m.mul(run_sum, run_sum, shrink)
                    m.add(run_sum, run_sum, tile_row)
                    m.cast(ub_p[beat], ub_s[beat], round_mode=m.RoundMode.TO_EVEN)
                    probs_full.lock()
                    probs[beat][half_row:half_row + HALF, 0:TILE] <<= ub_p[beat]
                    probs_full.ready()

                with m.cube_scope():
                    probs_full.wait()
                    l1_p[beat] <<= probs[beat]
                    probs_full.free()
                    m.matmul(l0c_o[beat], l1_p[beat], l1_v[beat].T, m=TILE, n=D, k=valid_n)
                    values_full.lock()
                    values[beat] <<= l0c_o[beat]
                    values_full.ready()

                values_full.wait()
                ub_o[beat] <<= values[beat][half_row:half_row + HALF, 0:D]
                values_full.free()
                m.mul(acc, acc, shrink8)
                m.add(acc, acc, ub_o[beat])
                beat += 1

            m.div(shrink, ones, run_sum)
            spread(row8, shrink)
            m.mul(acc, acc, row8)
            m.cast(ub_out[units], acc, round_mode=m.RoundMode.TO_EVEN)
            row0 = m.Min(m0 + half_row, S)
            rows = m.Min(HALF, S - row0)
            out[batch, row0:row0 + rows, 0:D] <<= ub_out[units, 0:rows, 0:D]
            units += 1

    return out


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for BH, S in [(1, 64), (2, 33), (1, 1), (1, 127), (1, 193), (21, 65)]:
        q = torch.randn(BH, S, D).half()
        k = torch.randn(BH, S, D).half()
        v = torch.randn(BH, S, D).half()
        out = torch.zeros(BH, S, D).half()
        OpExec(block_causal, launcher="sim", block_dim=4)(q, k, v, out, S, 0.125)
