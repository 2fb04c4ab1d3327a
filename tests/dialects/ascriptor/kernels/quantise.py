"""Symmetric int8 quantisation of f16 rows of 128, and the way back.

    quantise    scale = np.maximum(np.abs(x).max(axis=1), 1e-4) / 127
                q     = np.rint(x / scale[:, None])
    dequantise  x     = q * scale[:, None]

    x  f16  [M, 128];   q  i8  [M, 128];   scale  f32  [M]       any M
"""
from ascriptor.a2 import *

D = 128
HALF_D = D // 2
ROWS = 64
Q_MAX = 127.0
SMALLEST = 1.0e-4


@kernel(mode="vec", block_dim=8)
def quantise(x: GM[f16, ("M", D)], q: GM[i8, ("M", D)], scale: GM[f32, "M"]):
    x_in = DBuff(f16, [ROWS, D], Position.UB)
    q_out = DBuff(i8, [ROWS, D], Position.UB)
    scale_out = DBuff(f32, [1, ROWS], Position.UB)
    magnitude = Tensor(f16, [ROWS, D], Position.UB)
    peak_h = Tensor(f16, [1, D], Position.UB)
    peak = Tensor(f32, [1, ROWS], Position.UB)
    inverse = Tensor(f32, [1, ROWS], Position.UB)
    most = Tensor(f32, [1, ROWS], Position.UB)
    inverse8 = Tensor(f32, [ROWS, 8], Position.UB)
    xf = Tensor(f32, [ROWS, D], Position.UB)
    steps = Tensor(i16, [ROWS, D], Position.UB)
    steps_h = Tensor(f16, [ROWS, D], Position.UB)
    beat = Var(0)

    dup(most, Q_MAX)
    for tile in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
        with auto_sync():
            lo = tile * ROWS
            rows = Min(ROWS, M - lo)
            x_in[beat][0:rows, 0:D] <<= x[lo:lo + rows, 0:D]

            # A row of 128 halves is one repeat, so cmax gives one value per row.
            abs(magnitude, x_in[beat])
            cmax(peak_h, magnitude)
            cast(peak, peak_h[0:1, 0:ROWS])
            vmaxs(peak, peak, SMALLEST)
            muls(scale_out[beat], peak, 1.0 / Q_MAX)
            div(inverse, most, peak)
            brcb(inverse8, inverse, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)

            # No way leads from f32 to i8: i16 rounds, the rest is exact.
            cast(xf, x_in[beat])
            mul(xf[:, 0:HALF_D], xf[:, 0:HALF_D], inverse8)
            mul(xf[:, HALF_D:D], xf[:, HALF_D:D], inverse8)
            cast(steps, xf, round_mode=RoundMode.TO_EVEN)
            cast(steps_h, steps, round_mode=RoundMode.NONE)
            cast(q_out[beat], steps_h, round_mode=RoundMode.TO_EVEN)

            q[lo:lo + rows, 0:D] <<= q_out[beat][0:rows, 0:D]
            scale[lo:lo + rows] <<= scale_out[beat][0:1, 0:rows]
            beat += 1
    return q, scale


@kernel(mode="vec", block_dim=8)
def dequantise(q: GM[i8, ("M", D)], scale: GM[f32, "M"], x: GM[f16, ("M", D)]):
    q_in = DBuff(i8, [ROWS, D], Position.UB)
    scale_in = DBuff(f32, [1, ROWS], Position.UB)
    x_out = DBuff(f16, [ROWS, D], Position.UB)
    half_q = Tensor(f16, [ROWS, D], Position.UB)
    xf = Tensor(f32, [ROWS, D], Position.UB)
    scale8 = Tensor(f32, [ROWS, 8], Position.UB)
    beat = Var(0)

    for tile in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
        with auto_sync():
            lo = tile * ROWS
            rows = Min(ROWS, M - lo)
            q_in[beat][0:rows, 0:D] <<= q[lo:lo + rows, 0:D]
            scale_in[beat][0:1, 0:rows] <<= scale[lo:lo + rows]
            cast(half_q, q_in[beat])
            cast(xf, half_q)
            brcb(scale8, scale_in[beat], dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            mul(xf[:, 0:HALF_D], xf[:, 0:HALF_D], scale8)
            mul(xf[:, HALF_D:D], xf[:, HALF_D:D], scale8)
            cast(x_out[beat], xf, round_mode=RoundMode.TO_EVEN)
            x[lo:lo + rows, 0:D] <<= x_out[beat][0:rows, 0:D]
            beat += 1
    return x


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for M in [1, 63, 64, 65, 700]:
        x = torch.randn(M, D, dtype=torch.float16)
        q = torch.empty(M, D, dtype=torch.int8)
        scale = torch.empty(M)
        OpExec(quantise, launcher="sim")(x, q, scale)
        OpExec(dequantise, launcher="sim")(q, scale, x)
