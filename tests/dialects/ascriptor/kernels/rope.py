"""Rotary position embedding of interleaved pairs, for all heads of a sequence.

    x0, x1 = x[..., 0::2], x[..., 1::2]
    y[..., 0::2] = x0 * cos - x1 * sin;   y[..., 1::2] = x1 * cos + x0 * sin

    x, y  f16  [H, S, 64];   cos, sin  f32  [S, 32]       any H, S

A gather swaps the two values of each pair, two more repeat every value of a table. Offsets are
bytes from the start of a tile; they are made once, from the numbers of the columns.
"""
from ascriptor.a2 import *

D = 64
PAIRS = D // 2
ROWS = 32
FLOAT = 4
EVEN = 0x5555555555555555
ODD = 0xAAAAAAAAAAAAAAAA
BITS = (
    ODD,
    0xCCCCCCCCCCCCCCCC,
    0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000,
    0xFFFFFFFF00000000,
)


@func()
def make_offsets(swapped, doubled, column, other, sign):
    dup(column, 0)
    for bit, lanes in enumerate(BITS):
        set_mask(0, lanes)
        adds(column, column, 1 << bit)
    reset_mask()
    dup(sign, 1.0)
    set_mask(0, EVEN)
    adds(other, column, 1)
    dup(sign, -1.0)
    set_mask(0, ODD)
    adds(other, column, -1)
    reset_mask()
    muls(other, other, FLOAT)
    shiftrs(column, column, 1)
    muls(column, column, FLOAT)
    for r in range(ROWS):
        adds(swapped[r:r + 1, 0:D], other, r * D * FLOAT)
        adds(doubled[r:r + 1, 0:D], column, r * PAIRS * FLOAT)


@kernel(mode="vec")
def rope(
    x: GM[f16, ("H", "S", D)],
    cos: GM[f32, ("S", PAIRS)],
    sin: GM[f32, ("S", PAIRS)],
    y: GM[f16, ("H", "S", D)],
):
    x_in = DBuff(f16, [ROWS, D], Position.UB)
    y_out = DBuff(f16, [ROWS, D], Position.UB)
    table = DBuff(f32, [ROWS, PAIRS], Position.UB)
    cos2 = Tensor(f32, [ROWS, D], Position.UB)
    sin2 = Tensor(f32, [ROWS, D], Position.UB)
    xf = Tensor(f32, [ROWS, D], Position.UB)
    crossed = Tensor(f32, [ROWS, D], Position.UB)
    swapped = Tensor(i32, [ROWS, D], Position.UB)
    doubled = Tensor(i32, [ROWS, D], Position.UB)
    column = Tensor(i32, [1, D], Position.UB)
    other = Tensor(i32, [1, D], Position.UB)
    sign = Tensor(f32, [1, D], Position.UB)
    beat = Var(0)
    tables = Var(0)

    make_offsets(swapped, doubled, column, other, sign)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(S, ROWS), GetVecNum()):
            s0 = tile * ROWS
            rows = Min(ROWS, S - s0)
            table[tables][0:rows, :] <<= cos[s0:s0 + rows, 0:PAIRS]
            gather(cos2, table[tables], doubled.reinterpret(u32))
            tables += 1
            table[tables][0:rows, :] <<= sin[s0:s0 + rows, 0:PAIRS]
            gather(sin2, table[tables], doubled.reinterpret(u32))
            mul(sin2, sin2, sign)
            tables += 1

            for head in range(H):
                x_in[beat][0:rows, :] <<= x[head, s0:s0 + rows, 0:D]
                cast(xf, x_in[beat])
                gather(crossed, xf, swapped.reinterpret(u32))
                mul(xf, xf, cos2)
                muladddst(xf, crossed, sin2)
                cast(y_out[beat], xf, round_mode=RoundMode.TO_EVEN)
                y[head, s0:s0 + rows, 0:D] <<= y_out[beat][0:rows, :]
                beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for H, S in [(1, 1), (4, 33), (3, 200)]:
        x = torch.randn(H, S, D).half()
        cos, sin = torch.rand(S, PAIRS), torch.rand(S, PAIRS)
        OpExec(rope, launcher="sim", block_dim=6)(x, cos, sin, torch.empty_like(x))
