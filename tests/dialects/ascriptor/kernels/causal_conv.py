"""Depthwise causal convolution of width four along the tokens, then silu.

    z[t, d] = bias[d] + sum over w of x[t - 3 + w, d] * wt[w, d]      (x = 0 before the start)
    y = z / (1 + np.exp(-z))

    x, y  f16  [L, D];   wt  f32  [4, D];   bias  f32  [D]       any L, D >= 1

A tile holds 64 tokens and the three before them, for 128 channels. What lies before the first
token is the zeros of the fill; shifted reads are views that start at another row.
"""
from ascriptor.a2 import *

TOKENS = 64
WIDTH = 4
HISTORY = WIDTH - 1
CHANNELS = 128
LANES = 64
EXP_LIMIT = 80.0


@func()
def silu(z, scratch):
    muls(scratch, z, -1.0)
    vmins(scratch, scratch, EXP_LIMIT)
    exp(scratch, scratch)
    adds(scratch, scratch, 1.0)
    div(z, z, scratch)


@kernel(mode="vec")
def causal_conv(
    x: GM[f16, ("L", "D")],
    wt: GM[f32, (WIDTH, "D")],
    bias: GM[f32, "D"],
    y: GM[f16, ("L", "D")],
):
    x_in = DBuff(f16, [TOKENS + HISTORY, CHANNELS], Position.UB)
    wt_in = Tensor(f32, [WIDTH, CHANNELS], Position.UB)
    bias_in = Tensor(f32, [1, CHANNELS], Position.UB)
    xf = Tensor(f32, [TOKENS + HISTORY, CHANNELS], Position.UB)
    z = Tensor(f32, [TOKENS, CHANNELS], Position.UB)
    scratch = Tensor(f32, [TOKENS, CHANNELS], Position.UB)
    y_out = DBuff(f16, [TOKENS, CHANNELS], Position.UB)
    beat = Var(0)

    for part in range(GetVecIdx(), CeilDiv(D, CHANNELS), GetVecNum()):
        with auto_sync():
            c0 = part * CHANNELS
            cn = Min(CHANNELS, D - c0)
            wt_in[:, 0:cn] <<= wt[0:WIDTH, c0:c0 + cn]
            bias_in[:, 0:cn] <<= bias[c0:c0 + cn]
            for t0 in range(0, L, TOKENS):
                valid = Min(TOKENS, L - t0)
                first = Max(t0 - HISTORY, 0)
                skip = first - (t0 - HISTORY)
                rows = t0 + valid - first
                dup(x_in[beat][0:HISTORY, :], 0.0)
                x_in[beat][skip:skip + rows, 0:cn] <<= x[first:first + rows, c0:c0 + cn]
                cast(xf, x_in[beat])
                for lo in (0, LANES):
                    if lo < cn:
                        adds(z[:, lo:lo + LANES], bias_in[:, lo:lo + LANES], 0.0)
                        for w in unroll(WIDTH):
                            shifted = xf[w:w + TOKENS, lo:lo + LANES]
                            muladddst(z[:, lo:lo + LANES], shifted, wt_in[w:w + 1, lo:lo + LANES])
                silu(z, scratch)
                cast(y_out[beat], z, round_mode=RoundMode.TO_EVEN)
                y[t0:t0 + valid, c0:c0 + cn] <<= y_out[beat][0:valid, 0:cn]
                beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for L, D in [(1, 1), (3, 128), (65, 130), (200, 257)]:
        x = torch.randn(L, D).half()
        wt, bias = torch.randn(WIDTH, D), torch.randn(D)
        OpExec(causal_conv, launcher="sim", block_dim=4)(x, wt, bias, torch.empty_like(x))
