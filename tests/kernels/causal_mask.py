"""Scaled attention scores with a causal mask, aligned to the last column.

    row = np.arange(M)[:, None];  col = np.arange(N)[None, :]
    masked = np.where(col <= row + (N - M), scores * scale, -1e30).astype(np.float32)

Shapes   scores float [M, N], masked float [M, N];  any M, any N >= 1
         Query row r belongs to key column r + N - M, as with a key cache. For
         N < M the first rows see nothing and become -1e30 throughout.
Tiling   tiles of 128 x 128 scores, 64 rows per vec lane; a core walks its row
         tiles, and every column tile of each.
Mask     one bit per score, LSB first, 128 bits = 16 bytes per row. A row of
         the mask is one compare of the column ids 0..127 with the number of
         columns that this row may see in this tile. The start of a row of
         bits is 16 bytes apart from the next, which controls may be. The mask
         is rebuilt per tile, so a tail tile needs no special case.

UB per lane, in bytes
    s_in       2 x [64,128] float    65536
    s_out      2 x [64,128] float    65536
    visible        [64,16]  uint8     1024
    col_ids        [1,128]  int        512
    neg            [1,64]   float      256
    total                           132864  (of 196608)
"""
import torch

from easyasc.a2 import *

TILE_M = 128
TILE_N = 128
HALF_M = TILE_M // 2
MASK_BYTES = TILE_N // 8
NEG_LARGE = -1.0e30


@func()
def seed_column_ids(ids):
    # 0..7 by the scalar unit, two 32-bit ids per 64-bit store.
    pairs = ids.reinterpret(DT.int64)
    pair = Var(0, DT.int64)
    for k in unroll(4):
        pair <<= (2 * k + 1) * 4294967296 + 2 * k
        pair.SetValueTo(pairs[0:1, k:k + 1])


@kernel()
def causal_mask(scores: GMTensor, masked: GMTensor, M: Var, N: Var, scale: Var):
    s_in = DBuff(DT.float, [HALF_M, TILE_N], Position.UB)
    s_out = DBuff(DT.float, [HALF_M, TILE_N], Position.UB)
    visible = Tensor(DT.uint8, [HALF_M, MASK_BYTES], Position.UB)
    col_ids = Tensor(DT.int, [1, TILE_N], Position.UB)
    neg = Tensor(DT.float, [1, 64], Position.UB)

    sb = GetSubBlockIdx()
    tiles_m = CeilDiv(M, TILE_M)
    tiles_n = CeilDiv(N, TILE_N)
    per_core = CeilDiv(tiles_m, GetCubeNum())
    mt_begin = Var(per_core * GetCubeIdx())
    mt_end = Min(mt_begin + per_core, tiles_m)
    shift = Var(N - M)
    slot = Var(0)

    seed_column_ids(col_ids)
    bar_all()                       # scalar stores before the vector unit reads

    with auto_sync():
        # 8 ids become 16, 32, 64, 128: each step copies what exists, moved up.
        for width in (8, 16, 32, 64):
            adds(col_ids[0:1, width:2 * width], col_ids[0:1, 0:width], width, count=width)
        dup(neg, NEG_LARGE)

        for mt in range(mt_begin, mt_end):
            row0 = Min(mt * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)

            for nt in range(tiles_n):
                col0 = Var(nt * TILE_N)
                cols = Min(TILE_N, N - col0)

                s_in[slot][0:rows, 0:cols] <<= scores[row0:row0 + rows, col0:col0 + cols]
                muls(s_out[slot], s_in[slot], scale)

                # The first row sees the fewest columns; if it sees the whole
                # tile, so do all the others and the select is not needed.
                first_row_sees = Var(row0 + shift + 1)
                if col0 + cols > first_row_sees:
                    for r in range(HALF_M):
                        row_sees = Var(first_row_sees + r - col0)
                        compare_scalar(visible[r:r + 1, 0:MASK_BYTES], col_ids, row_sees, CompareMode.LT)
                    select(s_out[slot], visible, s_out[slot], neg, SelectMode.TENSOR_SCALAR)

                masked[row0:row0 + rows, col0:col0 + cols] <<= s_out[slot][0:rows, 0:cols]
                slot += 1
    return masked


if __name__ == "__main__":
    scale = 0.125

    M, N = 127, 127
    scores = torch.randn(M, N)
    masked = torch.empty(M, N)
    OpExec(causal_mask, "", simulator=True)(scores, masked, M, N, scale)

    M, N = 65, 300
    scores = torch.randn(M, N)
    masked = torch.empty(M, N)
    OpExec(causal_mask, "", simulator=True)(scores, masked, M, N, scale)

    M, N = 300, 130
    scores = torch.randn(M, N)
    masked = torch.empty(M, N)
    OpExec(causal_mask, "", simulator=True)(scores, masked, M, N, scale)
