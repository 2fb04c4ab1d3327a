"""Cosine of the rows of two float matrices, with extents that are part of the signature.

    s = (a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1) + 1e-12)

    a, b  f32  [99, 128];   s  f32  [99]
"""
from ascriptor.a2 import *

M = 99
D = 128
ROWS = 64
LANES = 64


@func
def row_dot(dst, left, right, folded, scratch):
    mul(folded, left[:, 0:LANES], right[:, 0:LANES])
    mul(scratch, left[:, LANES:D], right[:, LANES:D])
    add(folded, folded, scratch)
    cadd(dst, folded)


@kernel(mode="vec", block_dim=2)
def cosine(a: GM[f32, (M, D)], b: GM[f32, (M, D)], s: GM[f32, M]):
    static_assert(D == 2 * LANES, "a row is two repeats")
    a_in = DBuff(f32, [ROWS, D], Position.UB)
    b_in = DBuff(f32, [ROWS, D], Position.UB)
    folded = Tensor(f32, [ROWS, LANES], Position.UB)
    scratch = Tensor(f32, [ROWS, LANES], Position.UB)
    dot = Tensor(f32, [1, ROWS], Position.UB)
    square = Tensor(f32, [1, ROWS], Position.UB)
    s_out = DBuff(f32, [1, ROWS], Position.UB)
    tiles = CeilDiv(M, ROWS)
    static_print("tiles", tiles)
    beat = Var(0)

    for tile in range(GetVecIdx(), tiles, GetVecNum()):
        with auto_sync():
            lo = tile * ROWS
            rows = Min(ROWS, M - lo)
            a_in[beat][0:rows, :] <<= a[lo:lo + rows, 0:D]
            b_in[beat][0:rows, :] <<= b[lo:lo + rows, 0:D]
            row_dot(square, a_in[beat], a_in[beat], folded, scratch)
            row_dot(dot, b_in[beat], b_in[beat], folded, scratch)
            mul(square, square, dot)
            adds(square, square, 1.0e-12)
            sqrt(square, square)
            row_dot(dot, a_in[beat], b_in[beat], folded, scratch)
            div(s_out[beat], dot, square)
            s[lo:lo + rows] <<= s_out[beat][:, 0:rows]
            beat += 1
    return s
