"""Latent attention of one decoding step (MLA), with two bridges over rings of each core.

    s   = scale * (q[b] @ c[b].T + qr[b] @ kr[b].T)           (float32)
    p   = softmax(s).astype(f16)
    out = (p.astype(f32) @ c[b].astype(f32)).astype(f16)

    q   f16  [B, H, 128]      queries, already in the latent space
    qr  f16  [B, H, 64]       their rotary part
    c   f16  [B, S, 128]      latent cache: keys and values at once
    kr  f16  [B, S, 64]       rotary keys
    out f16  [B, H, 128]      any B, H >= 1, 1 <= S <= 512

The scores of 64 heads and up to four tiles of 128 keys wait in UB, so the softmax is final
when the weights go back and the cube adds the products of all tiles in one accumulator.

    cube  S_t = Q C_t^T + Qr Kr_t^T     -> scores, mutex 0
    vec   P = softmax(S)                -> probs, mutex 1
    cube  out = sum over t of P_t C_t

Tails: rows after H are never stored; columns after S are replaced in the last tile and left
out of the last product (k=valid_s).
"""
from ascriptor.a2 import *

HEADS = 64
HALF = HEADS // 2
KEYS = 128
TILES = 4
LATENT = 128
ROTARY = 64
LANES = 64
LOWEST = -1.0e30
LANES_WITH_BIT = [
    0xAAAAAAAAAAAAAAAA,
    0xCCCCCCCCCCCCCCCC,
    0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000,
    0xFFFFFFFF00000000,
]


@func()
def number_columns(columns, ramp):
    dup(ramp, 0.0)
    for bit, lanes in enumerate(LANES_WITH_BIT):
        set_mask(0, lanes)
        adds(ramp, ramp, 1.0 * (1 << bit))
    reset_mask()
    adds(columns[:, 0:LANES], ramp, 0.0)
    adds(columns[:, LANES:KEYS], ramp, 1.0 * LANES)


@func()
def spread_rows(wide, rows):
    brcb(wide, rows, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)


@func()
def for_each_part(op, wide, rows8, tiles):
    """`op` on the used columns of the scores, with one value for each row."""
    for part in unroll(TILES * KEYS // LANES):
        if part * LANES < tiles * KEYS:
            lo = part * LANES
            op(wide[:, lo:lo + LANES], wide[:, lo:lo + LANES], rows8)


@func()
def fold(op, folded, wide, tiles):
    """All used parts of 64 columns together."""
    op(folded, wide[:, 0:LANES], wide[:, LANES:2 * LANES])
    for part in unroll(2, TILES * KEYS // LANES):
        if part * LANES < tiles * KEYS:
            op(folded, folded, wide[:, part * LANES:(part + 1) * LANES])


@kernel()
def mla_decode(
    q: GM[f16, ("B", "H", LATENT)],
    qr: GM[f16, ("B", "H", ROTARY)],
    c: GM[f16, ("B", "S", LATENT)],
    kr: GM[f16, ("B", "S", ROTARY)],
    out: GM[f16, ("B", "H", LATENT)],
    scale: f32,
):
    assert S <= TILES * KEYS
    l1_q = DBuff(f16, [HEADS, LATENT], Position.L1)
    l1_qr = DBuff(f16, [HEADS, ROTARY], Position.L1)
    l1_c = DBuff(f16, [KEYS, LATENT], Position.L1)
    l1_kr = DBuff(f16, [KEYS, ROTARY], Position.L1)
    l1_v = DBuff(f16, [KEYS, LATENT], Position.L1)
    l1_p = DBuff(f16, [HEADS, KEYS], Position.L1)
    l0c_s = DBuff(f32, [HEADS, KEYS], Position.L0C)
    l0c_o = DBuff(f32, [HEADS, LATENT], Position.L0C)

    ub_s = Tensor(f32, [HALF, TILES * KEYS], Position.UB)
    ub_p = DBuff(f16, [HALF, KEYS], Position.UB)
    folded = Tensor(f32, [HALF, LANES], Position.UB)
    row8 = Tensor(f32, [HALF, 8], Position.UB)
    row = Tensor(f32, [1, LANES], Position.UB)
    ones = Tensor(f32, [1, LANES], Position.UB)
    ramp = Tensor(f32, [1, LANES], Position.UB)
    columns = Tensor(f32, [HALF, KEYS], Position.UB)
    inside = Tensor(u8, [HALF, KEYS // 8], Position.UB)
    lowest = Tensor(f32, [1, LANES], Position.UB)
    last = Tensor(f32, [HALF, KEYS], Position.UB)

    scores = GMBuff(f32, [HEADS, KEYS], 2, per_core=True)
    probs = GMBuff(f16, [HEADS, KEYS], 2)
    to_vec = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    to_cube = VcMutex(1, depth=2, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)

    half_row = Var(GetSubBlockIdx() * HALF)
    head_tiles = CeilDiv(H, HEADS)
    tiles = CeilDiv(S, KEYS)
    sent = Var(0)             # beats of the scores
    back = Var(0)             # beats of the weights
    units = Var(0)

    number_columns(columns, ramp)
    compare_scalar(inside, columns, (S - (tiles - 1) * KEYS) * 1.0, CompareMode.LT)
    dup(lowest, LOWEST)
    dup(ones, 1.0)

    with auto_sync():
        for unit in range(GetCubeIdx(), B * head_tiles, GetCubeNum()):
            batch = unit // head_tiles
            h0 = unit % head_tiles * HEADS
            valid_h = Min(HEADS, H - h0)

            # ---- cube: both parts of the scores in one accumulator
            l1_q[units] <<= q[batch, h0:h0 + valid_h, 0:LATENT]
            l1_qr[units] <<= qr[batch, h0:h0 + valid_h, 0:ROTARY]
            for t in range(tiles):
                s0 = t * KEYS
                valid_s = Min(KEYS, S - s0)
                l1_c[sent] <<= c[batch, s0:s0 + valid_s, 0:LATENT]
                l1_kr[sent] <<= kr[batch, s0:s0 + valid_s, 0:ROTARY]
                s_tile = l0c_s[sent]
                matmul(s_tile, l1_q[units], l1_c[sent], m=HEADS, n=KEYS, k=LATENT)
                matmul(
                    s_tile, l1_qr[units], l1_kr[sent], m=HEADS, n=KEYS, k=ROTARY, is_init=False
                )
                to_vec.lock()
                scores[sent] <<= s_tile
                to_vec.ready()

                # ---- vec: collect them
                to_vec.wait()
                ub_s[:, s0:s0 + KEYS] <<= scores[sent][half_row:half_row + HALF, 0:KEYS]
                to_vec.free()
                sent += 1

            # ---- vec: softmax over all tiles
            for t in unroll(TILES):
                if t == tiles - 1:
                    left = ub_s[:, t * KEYS:t * KEYS + LANES]
                    right = ub_s[:, t * KEYS + LANES:(t + 1) * KEYS]
                    adds(last[:, 0:LANES], left, 0.0)
                    adds(last[:, LANES:KEYS], right, 0.0)
                    select(last, inside, last, lowest, SelectMode.TENSOR_SCALAR)
                    adds(left, last[:, 0:LANES], 0.0)
                    adds(right, last[:, LANES:KEYS], 0.0)
            fold(vmax, folded, ub_s, tiles)
            cmax(row, folded)
            spread_rows(row8, row)
            for_each_part(sub, ub_s, row8, tiles)
            for t in unroll(TILES):
                if t < tiles:
                    for lo in (t * KEYS, t * KEYS + LANES):
                        muls(ub_s[:, lo:lo + LANES], ub_s[:, lo:lo + LANES], scale)
                        exp(ub_s[:, lo:lo + LANES], ub_s[:, lo:lo + LANES])
            fold(add, folded, ub_s, tiles)
            cadd(row, folded)
            div(row, ones, row)
            spread_rows(row8, row)
            for_each_part(mul, ub_s, row8, tiles)

            # ---- the weights of each tile go back, and the cube adds their products
            for t in range(tiles):
                p0 = t * KEYS
                valid_p = Min(KEYS, S - p0)
                for lo in (0, LANES):
                    cast(
                        ub_p[back, :, lo:lo + LANES],
                        ub_s[:, p0 + lo:p0 + lo + LANES],
                        repeat=HALF,
                        dst_blk_stride=1,
                        src_blk_stride=1,
                        dst_rep_stride=KEYS // 16,
                        src_rep_stride=TILES * KEYS // 8,
                        round_mode=RoundMode.TO_EVEN,
                    )
                to_cube.lock()
                probs[back][half_row:half_row + HALF, 0:KEYS] <<= ub_p[back]
                to_cube.ready()

                l1_v[back] <<= c[batch, p0:p0 + valid_p, 0:LATENT]
                to_cube.wait()
                l1_p[back] <<= probs[back]
                to_cube.free()
                matmul(
                    l0c_o[units],
                    l1_p[back],
                    l1_v[back].T,
                    m=HEADS,
                    n=LATENT,
                    k=valid_p,
                    is_init=(t == 0),
                )
                back += 1
            out[batch, h0:h0 + valid_h, 0:LATENT] <<= l0c_o[units][0:valid_h, 0:LATENT]
            units += 1

    return out


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    scale = 0.07216878364870322  # 1 / sqrt(192)
    for B, H, S in [(1, 64, 128), (2, 16, 65), (1, 1, 1), (1, 65, 384), (3, 127, 257), (21, 8, 17)]:
        q = torch.randn(B, H, LATENT, dtype=torch.float16)
        qr = torch.randn(B, H, ROTARY, dtype=torch.float16)
        c = torch.randn(B, S, LATENT, dtype=torch.float16)
        kr = torch.randn(B, S, ROTARY, dtype=torch.float16)
        out = torch.empty(B, H, LATENT, dtype=torch.float16)
        OpExec(mla_decode, launcher="sim", device="a2")(q, qr, c, kr, out, scale)
