"""Gated delta rule by chunks of 64 tokens: the state is carried from chunk to chunk.

    H = 0                                                            [64, 128]
    for t in range(S):
        H   = exp(g[t]) * H
        u   = beta[t] * (v[t] - k[t] @ H)
        H   = H + np.outer(k[t], u)
        out[t] = q[t] @ H

    q, k       f16  [BH, S, 64]
    v, out     f16  [BH, S, 128]
    decay      f32  [BH, S]      sums of g inside of each chunk (g <= 0)
    beta       f32  [BH, S]      any BH, S >= 1

With D[i, j] = exp(decay[i] - decay[j]) the updates of a chunk solve a triangular system:

    (I + beta * D * K K^T below the diagonal) U = beta * (V - exp(decay) * K H)
    out = exp(decay) * Q H + (D * Q K^T up to the diagonal) U
    H   = exp(decay[last]) * H + K^T (exp(decay[last] - decay) * U)

    vec   H, rounded to f16                          -> ring_h               mutex 0
    cube  K K^T and K Q^T                            -> ring_kk, ring_kq     mutex 1
    cube  K H and Q H                                -> ring_w, ring_y       mutex 2
    vec   forward substitution, one token at a time
    vec   the decayed updates in f16                 -> ring_u               mutex 3
    cube  K^T U                                      -> ring_dh              mutex 4

Each sub-block owns 64 of the 128 value columns, so it needs nothing of the other one. Column j
of a symmetric or transposed product is its row j, which brcb spreads over the tokens.

Tails: rows of a chunk after S hold what was left in L1. They only reach their own rows of U and
of the result, which are not stored; K^T U takes the valid tokens alone (k=valid).
"""
from ascriptor.a2 import *

CHUNK = 64
DK = 64
DV = 128
HALF = DV // 2
BITS = (
    (1.0, 0xAAAAAAAAAAAAAAAA),
    (2.0, 0xCCCCCCCCCCCCCCCC),
    (4.0, 0xF0F0F0F0F0F0F0F0),
    (8.0, 0xFF00FF00FF00FF00),
    (16.0, 0xFFFF0000FFFF0000),
    (32.0, 0xFFFFFFFF00000000),
)


@func()
def spread(wide, rows):
    """One value of a row of 64 into each block of [64, 8]."""
    brcb(wide, rows, dst_blk_stride=1, dst_rep_stride=8, repeat=CHUNK // 8)


@func()
def triangles(tile, row, wide, strict, full):
    """Bits (j, i) of `strict` say i > j, those of `full` i >= j."""
    dup(row, 0.0)
    for step, lanes in BITS:
        set_mask(0, lanes)
        adds(row, row, step)
    reset_mask()
    spread(wide, row)
    sub(tile, row, wide)
    compare_scalar(strict, tile, 0.0, CompareMode.GT)
    compare_scalar(full, tile, 0.0, CompareMode.GE)


@kernel()
def gated_delta(
    q: GM[f16, ("BH", "S", DK)],
    k: GM[f16, ("BH", "S", DK)],
    v: GM[f16, ("BH", "S", DV)],
    decay: GM[f32, ("BH", "S")],
    beta: GM[f32, ("BH", "S")],
    out: GM[f16, ("BH", "S", DV)],
):
    l1_q = DBuff(f16, [CHUNK, DK], Position.L1)
    l1_k = DBuff(f16, [CHUNK, DK], Position.L1)
    l1_h = DBuff(f16, [DK, DV], Position.L1)
    l1_u = DBuff(f16, [CHUNK, DV], Position.L1)
    l0c_kk = Tensor(f32, [CHUNK, CHUNK], Position.L0C)
    l0c_kq = Tensor(f32, [CHUNK, CHUNK], Position.L0C)
    l0c_w = Tensor(f32, [CHUNK, DV], Position.L0C)
    l0c_y = Tensor(f32, [CHUNK, DV], Position.L0C)

    kk = Tensor(f32, [CHUNK, CHUNK], Position.UB)
    kq = Tensor(f32, [CHUNK, CHUNK], Position.UB)
    w = Tensor(f32, [CHUNK, HALF], Position.UB)
    y = Tensor(f32, [CHUNK, HALF], Position.UB)
    dh = Tensor(f32, [DK, HALF], Position.UB)
    u = Tensor(f32, [CHUNK, HALF], Position.UB)
    tmp = Tensor(f32, [CHUNK, HALF], Position.UB)
    gates = Tensor(f32, [CHUNK, CHUNK], Position.UB)
    state = Tensor(f32, [DK, HALF], Position.UB)
    v_in = Tensor(f16, [CHUNK, HALF], Position.UB)
    h_out = Tensor(f16, [DK, HALF], Position.UB)
    u_out = Tensor(f16, [CHUNK, HALF], Position.UB)
    o_out = Tensor(f16, [CHUNK, HALF], Position.UB)
    decay_row = Tensor(f32, [1, CHUNK], Position.UB)
    beta_row = Tensor(f32, [1, CHUNK], Position.UB)
    row = Tensor(f32, [1, CHUNK], Position.UB)
    row8 = Tensor(f32, [CHUNK, 8], Position.UB)
    col8 = Tensor(f32, [CHUNK, 8], Position.UB)
    zero = Tensor(f32, [1, CHUNK], Position.UB)
    strict = Tensor(u8, [CHUNK, CHUNK // 8], Position.UB)
    full = Tensor(u8, [CHUNK, CHUNK // 8], Position.UB)

    ring_h = GMBuff(f16, [DK, DV], 2)
    ring_kk = GMBuff(f32, [CHUNK, CHUNK], 2)
    ring_kq = GMBuff(f32, [CHUNK, CHUNK], 2)
    ring_w = GMBuff(f32, [CHUNK, DV], 2)
    ring_y = GMBuff(f32, [CHUNK, DV], 2)
    ring_u = GMBuff(f16, [CHUNK, DV], 2)
    ring_dh = GMBuff(f32, [DK, DV], 2)
    states = VcMutex(0, depth=2, dst_end_pipe=Pipe.MTE2)
    grams = CvMutex(1, depth=2)
    reads = CvMutex(2, depth=2)
    updates = VcMutex(3, depth=2, dst_end_pipe=Pipe.MTE2)
    deltas = CvMutex(4, depth=2)

    # The scalar unit has read a row before V clears it for the next chunk.
    row_read = SEvent(Pipe.S, Pipe.V, preset=True)

    half = GetSubBlockIdx() * HALF
    last = Var(0.0)
    beat = Var(0)

    triangles(tmp, row, row8, strict, full)
    dup(zero, 0.0)

    with auto_sync():
        for batch in range(GetCubeIdx(), BH, GetCubeNum()):
            dup(state, 0.0)
            for chunk in range(CeilDiv(S, CHUNK)):
                s0 = chunk * CHUNK
                valid = Min(CHUNK, S - s0)

                # ---- vec: the state before this chunk
                cast(h_out, state, round_mode=RoundMode.TO_EVEN)
                states.lock()
                ring_h[beat][0:DK, half:half + HALF] <<= h_out
                states.ready()

                # ---- cube: products of the keys, then what they read from the state
                l1_q[beat] <<= q[batch, s0:s0 + valid, 0:DK]
                l1_k[beat] <<= k[batch, s0:s0 + valid, 0:DK]
                matmul(l0c_kk, l1_k[beat], l1_k[beat], m=CHUNK, n=CHUNK, k=DK)
                matmul(l0c_kq, l1_k[beat], l1_q[beat], m=CHUNK, n=CHUNK, k=DK)
                grams.lock()
                ring_kk[beat] <<= l0c_kk
                ring_kq[beat] <<= l0c_kq
                grams.ready()

                states.wait()
                l1_h[beat] <<= ring_h[beat]
                states.free()
                matmul(l0c_w, l1_k[beat], l1_h[beat].T, m=CHUNK, n=DV, k=DK)
                matmul(l0c_y, l1_q[beat], l1_h[beat].T, m=CHUNK, n=DV, k=DK)
                reads.lock()
                ring_w[beat] <<= l0c_w
                ring_y[beat] <<= l0c_y
                reads.ready()

                # ---- vec: gates[j, i] = exp(decay[i] - decay[j]) for i >= j
                row_read.wait()
                dup(decay_row, 0.0)
                dup(beta_row, 0.0)
                decay_row[0:1, 0:valid] <<= decay[batch, s0:s0 + valid]
                beta_row[0:1, 0:valid] <<= beta[batch, s0:s0 + valid]
                v_in[0:valid, 0:HALF] <<= v[batch, s0:s0 + valid, half:half + HALF]
                last <<= decay_row[0:1, valid - 1:valid]
                row_read.set()
                spread(row8, decay_row)
                sub(gates, decay_row, row8)
                vmins(gates, gates, 0.0)
                exp(gates, gates)

                grams.wait()
                kk <<= ring_kk[beat]
                kq <<= ring_kq[beat]
                grams.free()
                mul(kk, kk, gates)
                mul(kk, kk, beta_row)
                select(kk, strict, kk, zero, SelectMode.TENSOR_SCALAR)
                mul(kq, kq, gates)
                select(kq, full, kq, zero, SelectMode.TENSOR_SCALAR)

                # ---- vec: right-hand side and the part of the output that the state gives
                reads.wait()
                w <<= ring_w[beat][0:CHUNK, half:half + HALF]
                y <<= ring_y[beat][0:CHUNK, half:half + HALF]
                reads.free()
                exp(row, decay_row)
                spread(row8, row)
                mul(w, w, row8)
                mul(y, y, row8)
                cast(u, v_in)
                sub(u, u, w)
                spread(row8, beta_row)
                mul(u, u, row8)

                # ---- vec: row j of U is final when all rows before it have been taken off
                for j in range(valid):
                    spread(col8, kk[j:j + 1, :])
                    mul(tmp, u[j:j + 1, :], col8, src1_rep_stride=0)
                    sub(u, u, tmp)
                    spread(col8, kq[j:j + 1, :])
                    muladddst(y, u[j:j + 1, :], col8, src1_rep_stride=0)
                cast(o_out, y, round_mode=RoundMode.TO_EVEN)
                out[batch, s0:s0 + valid, half:half + HALF] <<= o_out[0:valid, 0:HALF]

                # ---- vec to cube and back: what this chunk adds to the state
                muls(row, decay_row, -1.0)
                adds(row, row, last)
                exp(row, row)
                spread(row8, row)
                mul(tmp, u, row8)
                cast(u_out, tmp, round_mode=RoundMode.TO_EVEN)
                updates.lock()
                ring_u[beat][0:CHUNK, half:half + HALF] <<= u_out
                updates.ready()

                updates.wait()
                l1_u[beat] <<= ring_u[beat]
                updates.free()
                matmul(l0c_w, l1_k[beat].T, l1_u[beat].T, m=DK, n=DV, k=valid)
                deltas.lock()
                ring_dh[beat] <<= l0c_w
                deltas.ready()

                deltas.wait()
                dh <<= ring_dh[beat][0:DK, half:half + HALF]
                deltas.free()
                dup(row, last)
                exp(row, row)
                mul(state, state, row)
                add(state, state, dh)
                beat += 1

    return out


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for BH, S in [(1, 64), (2, 1), (1, 127), (2, 130), (9, 33)]:
        q = torch.randn(BH, S, DK).half()
        k = torch.full((BH, S, DK), 0.125).half()  # rows of length one
        v = torch.randn(BH, S, DV).half()
        decay = torch.zeros(BH, S)
        beta = torch.rand(BH, S)
        out = torch.empty(BH, S, DV).half()
        OpExec(gated_delta, launcher="sim", block_dim=8)(q, k, v, decay, beta, out)
