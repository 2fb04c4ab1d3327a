"""Latent attention of one step, as in MLA: all heads share one compressed cache.

    s   = scale * (q[b] @ c[b].T + qr[b] @ kr[b].T)            in float32
    p   = np.exp(s - s.max(axis=1, keepdims=True))
    p   = (p / p.sum(axis=1, keepdims=True)).astype(f16)
    out = p.astype(f32) @ c[b].astype(f32)

    q    half   [B, H, 128]      queries, already in the latent space
    qr   half   [B, H, 64]       their rotary part
    c    half   [B, S, 128]      latent cache: keys and values at once
    kr   half   [B, S, 64]       rotary keys
    out  float  [B, H, 128]      any B, H >= 1, 1 <= S <= 128

Two products make the scores, and one tile of keys holds the whole cache, so the
probabilities are final when they cross back and the cube stores the result.

    cube  S = Q C^T + Qr Kr^T   -> (FIX)  ws_s   mutex 0, cube to vec
    vec   P = softmax(S)        -> (MTE3) ws_p   mutex 1, vec to cube
    cube  out = P C

Tails: full tiles cross both ways.  Rows after H are never stored; columns after
S are replaced before the maximum and left out of the last product (k=S).

Memory in bytes:
    L1   l1_q, l1_qr  2 x 64 x (128 + 64) x 2  =  49152
         l1_c, l1_kr  2 x 128 x (128 + 64) x 2 =  98304
         l1_p         2 x 64 x 128 x 2         =  32768   180224 of 524288 per core
    L0C  l0c_s, l0c_o 2 x 2 x 64 x 128 x 4     = 131072 of 131072
    UB   ub_s         2 x 32 x 128 x 4         =  32768
         ub_p         2 x 32 x 128 x 2         =  16384
         folded           32 x 64 x 4          =   8192
         wide8            32 x 8 x 4           =   1024
         rows, columns, masks                 <=   2816 of 196608 per sub-block
    GM   ws_s  cores x 2 x 64 x 128 x 4;  ws_p  cores x 2 x 64 x 128 x 2
"""
from easyasc.a2 import *

HEADS = 64                    # heads of a tile
HALF = HEADS // 2
KEYS = 128
LATENT = 128
ROTARY = 64
LANES = 256 // 4              # float lanes of a repeat; row values use the first HALF of one
BLOCK = 32 // 4               # floats of one 32-byte block
MASK_BYTES = KEYS // 8
LOWEST = -1.0e30              # finite stand-in for minus infinity


@func()
def for_each_half(op, tile, wide):
    """`op` on the columns 0..64 and 64..128 of a tile, with one value for each row."""
    op(tile[0:HALF, 0:LANES], tile[0:HALF, 0:LANES], wide)
    op(tile[0:HALF, LANES:KEYS], tile[0:HALF, LANES:KEYS], wide)


@kernel()
def mla_decode(
    q: GMTensor,
    qr: GMTensor,
    c: GMTensor,
    kr: GMTensor,
    out: GMTensor,
    B: Var,
    H: Var,
    S: Var,
    scale: Var,
):
    l1_q = DBuff(DT.half, [HEADS, LATENT], Position.L1)
    l1_qr = DBuff(DT.half, [HEADS, ROTARY], Position.L1)
    l1_c = DBuff(DT.half, [KEYS, LATENT], Position.L1)
    l1_kr = DBuff(DT.half, [KEYS, ROTARY], Position.L1)
    l1_p = DBuff(DT.half, [HEADS, KEYS], Position.L1)
    l0c_s = DBuff(DT.float, [HEADS, KEYS], Position.L0C)
    l0c_o = DBuff(DT.float, [HEADS, LATENT], Position.L0C)

    ub_s = DBuff(DT.float, [HALF, KEYS], Position.UB)
    ub_p = DBuff(DT.half, [HALF, KEYS], Position.UB)
    folded = Tensor(DT.float, [HALF, LANES], Position.UB)
    wide8 = Tensor(DT.float, [HALF, BLOCK], Position.UB)
    row_max = Tensor(DT.float, [LANES, 1], Position.UB)
    row_sum = Tensor(DT.float, [LANES, 1], Position.UB)
    ones = Tensor(DT.float, [LANES, 1], Position.UB)
    columns = Tensor(DT.int, [1, KEYS], Position.UB)
    inside = Tensor(DT.uint8, [HALF, MASK_BYTES], Position.UB)
    lowest = Tensor(DT.float, [1, LANES], Position.UB)

    ws_s = split_workspace(DT.float, [GetCubeNum(), 2, HEADS, KEYS])
    ws_p = split_workspace(DT.half, [GetCubeNum(), 2, HEADS, KEYS])
    to_vec = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    to_cube = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)
    numbered = SEvent(Pipe.S, Pipe.V)

    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * HALF)
    tiles = CeilDiv(H, HEADS)
    count = Var(0)

    with vec_scope():
        for j in range(0, KEYS):
            j.SetValueTo(columns[0:1, j:j + 1])
    numbered.set()
    numbered.wait()
    for r in range(0, HALF):
        compare_scalar(inside[r:r + 1, 0:MASK_BYTES], columns, S, CompareMode.LT)
    dup(ones, 1.0)
    dup(lowest, LOWEST)

    with auto_sync():
        for unit in range(core, B * tiles, GetCubeNum()):
            batch = Var(unit // tiles)
            h0 = Var((unit - batch * tiles) * HEADS)
            valid_h = Min(HEADS, H - h0)
            slot = Var(var_mod(count, 2))

            # ---- cube: both parts of the scores in one accumulator
            l1_q[count] <<= q[batch, h0:h0 + valid_h, 0:LATENT]
            l1_c[count] <<= c[batch, 0:S, 0:LATENT]
            l1_qr[count] <<= qr[batch, h0:h0 + valid_h, 0:ROTARY]
            l1_kr[count] <<= kr[batch, 0:S, 0:ROTARY]
            matmul(l0c_s[count], l1_q[count], l1_c[count], m=HEADS, n=KEYS, k=LATENT)
            matmul(l0c_s[count], l1_qr[count], l1_kr[count], is_init=False, m=HEADS, n=KEYS, k=ROTARY)
            to_vec.lock()
            ws_s[core, slot, 0:HEADS, 0:KEYS] <<= l0c_s[count]
            to_vec.ready()

            # ---- vec: softmax of the rows of this sub-block
            to_vec.wait()
            ub_s[count] <<= ws_s[core, slot, half_row:half_row + HALF, 0:KEYS]
            to_vec.free()
            muls(ub_s[count], ub_s[count], scale)
            select(ub_s[count], inside, ub_s[count], lowest, SelectMode.TENSOR_SCALAR)
            vmax(folded, ub_s[count][0:HALF, 0:LANES], ub_s[count][0:HALF, LANES:KEYS])
            cmax(row_max, folded)
            brcb(wide8, row_max, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)
            for_each_half(sub, ub_s[count], wide8)
            exp(ub_s[count], ub_s[count])
            add(folded, ub_s[count][0:HALF, 0:LANES], ub_s[count][0:HALF, LANES:KEYS])
            cadd(row_sum, folded)
            div(row_sum, ones, row_sum)
            brcb(wide8, row_sum, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)
            for_each_half(mul, ub_s[count], wide8)
            cast(ub_p[count], ub_s[count], round_mode=RoundMode.TO_EVEN)
            to_cube.lock()
            ws_p[core, slot, half_row:half_row + HALF, 0:KEYS] <<= ub_p[count]
            to_cube.ready()

            # ---- cube: the values are the latent cache itself
            to_cube.wait()
            l1_p[count] <<= ws_p[core, slot, 0:HEADS, 0:KEYS]
            matmul(l0c_o[count], l1_p[count], l1_c[count].T, m=HEADS, n=LATENT, k=S)
            out[batch, h0:h0 + valid_h, 0:LATENT] <<= l0c_o[count][0:valid_h, 0:LATENT]
            to_cube.free()
            count += 1

    return out


if __name__ == "__main__":
    import torch

    scale = 0.07216878364870322  # 1 / sqrt(192)
    for B, H, S in [(1, 64, 128), (2, 16, 65), (1, 1, 1), (1, 65, 127), (3, 127, 63), (41, 8, 17)]:
        q = torch.randn(B, H, LATENT).half()
        qr = torch.randn(B, H, ROTARY).half()
        c = torch.randn(B, S, LATENT).half()
        kr = torch.randn(B, S, ROTARY).half()
        out = torch.zeros(B, H, LATENT)
        OpExec(mla_decode, "", simulator=True)(q, qr, c, kr, out, B, H, S, scale)
