"""Root mean square normalisation of bf16 rows of 256, the sum of squares in float.

    xf = x.astype(f32)
    y  = xf / np.sqrt((xf * xf).mean(axis=1, keepdims=True) + eps) * w

    x, y  bf16  [M, 256];   w  f32  [256]       any M
"""
from ascriptor.a2 import *

D = 256
ROWS = 32
LANES = 64
INV_D = 1.0 / D


@kernel
def rms_norm(x: GM[bf16, ("M", D)], w: GM[f32, D], y: GM[bf16, ("M", D)], eps: f32):
    x_in = DBuff(bf16, [ROWS, D], Position.UB)
    y_out = DBuff(bf16, [ROWS, D], Position.UB)
    xf = Tensor(f32, [ROWS, D], Position.UB)
    square = Tensor(f32, [ROWS, D], Position.UB)
    folded = Tensor(f32, [ROWS, LANES], Position.UB)
    weight = Tensor(f32, [1, D], Position.UB)
    total = Tensor(f32, [1, LANES], Position.UB)
    ones = Tensor(f32, [1, LANES], Position.UB)
    spread = Tensor(f32, [ROWS, 8], Position.UB)
    beat = Var(0)

    with auto_sync():
        weight <<= w[0:D]
        dup(ones, 1.0)
        for tile in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
            lo = tile * ROWS
            rows = Min(ROWS, M - lo)
            x_in[beat][0:rows, :] <<= x[lo:lo + rows, 0:D]
            cast(xf, x_in[beat])
            mul(square, xf, xf)
            add(folded, square[:, 0:LANES], square[:, LANES:2 * LANES])
            for part in (2, 3):
                add(folded, folded, square[:, part * LANES:(part + 1) * LANES])
            cadd(total, folded)
            muls(total, total, INV_D, count=ROWS)
            adds(total, total, eps, count=ROWS)
            sqrt(total, total, count=ROWS)
            div(total, ones, total, count=ROWS)
            brcb(spread, total, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            for part in unroll(D // LANES):
                columns = xf[:, part * LANES:(part + 1) * LANES]
                mul(columns, columns, spread)
                mul(columns, columns, weight[0:1, part * LANES:(part + 1) * LANES])
            cast(y_out[beat], xf, round_mode=RoundMode.TO_EVEN)
            y[lo:lo + rows, 0:D] <<= y_out[beat][0:rows, :]
            beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for M in [1, 31, 33, 300]:
        x = torch.randn(M, D, dtype=torch.bfloat16)
        OpExec(rms_norm, launcher="sim", block_dim=4)(x, torch.rand(D), torch.empty_like(x), 1e-6)
