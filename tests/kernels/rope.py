"""Rotary position embedding, rotate-half form, for every head of a token.

    x1, x2 = xf[..., :64], xf[..., 64:];  c, s = cos[:, None, :], sin[:, None, :]
    y = np.concatenate([x1 * c - x2 * s, x2 * c + x1 * s], -1).astype(np.float16)

Shapes   x half [M, H, 128], cos float [M, 64], sin float [M, 64],
         y half [M, H, 128];  M tokens, H heads
Tiling   128 tokens per core and step, 64 per vec lane. The tables of a token
         tile are loaded once and serve all its heads; a head is a slice
         [tokens, h, 0:128], whose rows are H * 128 elements apart in GM.

UB per lane, in bytes
    x_in       2 x [64,128] half     32768
    y_out      2 x [64,128] half     32768
    cos_t, sin_t 2 x [64,64] float   32768
    xf             [64,128] float    32768
    yf             [64,128] float    32768
    cross          [64,64]  float    16384
    total                           180224  (of 196608)
"""
import torch

from easyasc.a2 import (
    CeilDiv, DBuff, DT, GMTensor, GetCubeIdx, GetCubeNum, GetSubBlockIdx, Min,
    OpExec, Position, RoundMode, Tensor, Var, add, auto_sync, cast, func,
    kernel, mul, range, sub,
)

D = 128
HALF_D = D // 2
TILE_M = 128
HALF_M = TILE_M // 2


@func()
def rotate(dst, src, cos_t, sin_t, cross):
    # Column slices of 64 floats are one repeat per row; their rows lie 16
    # blocks apart, those of the tables 8.
    mul(dst[:, 0:HALF_D], src[:, 0:HALF_D], cos_t)
    mul(cross, src[:, HALF_D:D], sin_t)
    sub(dst[:, 0:HALF_D], dst[:, 0:HALF_D], cross)

    mul(dst[:, HALF_D:D], src[:, HALF_D:D], cos_t)
    mul(cross, src[:, 0:HALF_D], sin_t)
    add(dst[:, HALF_D:D], dst[:, HALF_D:D], cross)


@kernel(mode="vec")
def rope(x: GMTensor, cos: GMTensor, sin: GMTensor, y: GMTensor, M: Var, H: Var):
    x_in = DBuff(DT.half, [HALF_M, D], Position.UB)
    y_out = DBuff(DT.half, [HALF_M, D], Position.UB)
    cos_t = Tensor(DT.float, [HALF_M, HALF_D], Position.UB)
    sin_t = Tensor(DT.float, [HALF_M, HALF_D], Position.UB)
    xf = Tensor(DT.float, [HALF_M, D], Position.UB)
    yf = Tensor(DT.float, [HALF_M, D], Position.UB)
    cross = Tensor(DT.float, [HALF_M, HALF_D], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)

            cos_t[0:rows, 0:HALF_D] <<= cos[row0:row0 + rows, 0:HALF_D]
            sin_t[0:rows, 0:HALF_D] <<= sin[row0:row0 + rows, 0:HALF_D]

            for head in range(H):
                x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, head, 0:D]
                cast(xf, x_in[slot])
                rotate(yf, xf, cos_t, sin_t, cross)
                cast(y_out[slot], yf, round_mode=RoundMode.TO_EVEN)
                y[row0:row0 + rows, head, 0:D] <<= y_out[slot][0:rows, 0:D]
                slot += 1
    return y


if __name__ == "__main__":
    for M in [1, 65, 300]:
        H = 3
        x = torch.randn(M, H, D).half()
        cos = torch.rand(M, HALF_D)
        sin = torch.rand(M, HALF_D)
        y = torch.zeros(M, H, D).half()
        OpExec(rope, "", simulator=True)(x, cos, sin, y, M, H)
