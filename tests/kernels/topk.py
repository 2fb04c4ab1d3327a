"""The 32 largest values of every row, in descending order, and their columns.

    order  = np.argsort(-x, axis=1, kind="stable")[:, :32]
    values = np.take_along_axis(x, order, 1);  columns = order.astype(np.int32)
    (among equal values the order of the columns is not promised)

Shapes   x float [M, N], values float [M, 32], columns int [M, 32]
         N >= 32, all x > -1e30
Tiling   32 rows per core and step, 16 per vec lane. A row is read in chunks of
         128 columns; the best 64 records so far are merged with each chunk.
Records  sorting works on 8-byte records (float value, uint32 column).
             sort32          128 keys -> 4 sorted runs of 32 records
             mergesort4      4 runs   -> 1 run of 128
             mergesort_2seq  best 64 + 128 -> 192, of which 64 are kept
Tails    columns behind N are replaced by -1e30 with a select: a sort mixes all
         its lanes, so none may be undefined.

UB per lane, in bytes
    x_in       2 x [16,128] float    16384
    best           [16,128] float     8192   64 records per row
    values_out     [16,64]  float     4096
    columns_out    [16,64]  int       4096
    value_off, column_off [16,64] int 8192   byte offsets of the record fields
    keys, ids, col_ids [1,128] 4-byte 1536
    first_off      [1,64]   int        256
    runs, chunk  2 x [1,256] float    2048
    merged         [1,384]  float     1536
    in_row         [1,32]   uint8       32
    total                            46368  (of 196608)
"""
import torch

from easyasc.a2 import *

TOP_K = 32
KEEP = 64                         # records kept: one gather repeat
CHUNK = 128
TILE_M = 32
HALF_M = TILE_M // 2
REC = 8                           # bytes per record
REC_F = REC // 4                  # floats per record
ROW_BYTES = KEEP * REC
NEG_LARGE = -1.0e30


@func()
def seed_column_ids(ids):
    pairs = ids.reinterpret(DT.int64)
    pair = Var(0, DT.int64)
    for k in unroll(4):
        pair <<= (2 * k + 1) * 4294967296 + 2 * k
        pair.SetValueTo(pairs[0:1, k:k + 1])


@kernel()
def topk_rows(x: GMTensor, values: GMTensor, columns: GMTensor, M: Var, N: Var):
    x_in = DBuff(DT.float, [HALF_M, CHUNK], Position.UB)
    best = Tensor(DT.float, [HALF_M, KEEP * REC_F], Position.UB)
    values_out = Tensor(DT.float, [HALF_M, KEEP], Position.UB)
    columns_out = Tensor(DT.int, [HALF_M, KEEP], Position.UB)
    value_off = Tensor(DT.int, [HALF_M, KEEP], Position.UB)
    column_off = Tensor(DT.int, [HALF_M, KEEP], Position.UB)
    keys = Tensor(DT.float, [1, CHUNK], Position.UB)
    ids = Tensor(DT.int, [1, CHUNK], Position.UB)
    col_ids = Tensor(DT.int, [1, CHUNK], Position.UB)
    first_off = Tensor(DT.int, [1, KEEP], Position.UB)
    runs = Tensor(DT.float, [1, CHUNK * REC_F], Position.UB)
    chunk = Tensor(DT.float, [1, CHUNK * REC_F], Position.UB)
    merged = Tensor(DT.float, [1, (KEEP + CHUNK) * REC_F], Position.UB)
    in_row = Tensor(DT.uint8, [1, 32], Position.UB)      # 128 bits used

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    chunks = CeilDiv(N, CHUNK)
    per_core = CeilDiv(tiles, GetCubeNum())
    tile_begin = Var(per_core * GetCubeIdx())
    tile_end = Min(tile_begin + per_core, tiles)
    slot = Var(0)

    seed_column_ids(col_ids)
    bar_all()

    with auto_sync():
        for width in (8, 16, 32, 64):
            adds(col_ids[0:1, width:2 * width], col_ids[0:1, 0:width], width, count=width)
        # Byte offset of record k of row r: r * 512 + k * 8; its column is 4 later.
        muls(first_off, col_ids[0:1, 0:KEEP], REC)
        for r in unroll(HALF_M):
            adds(value_off[r:r + 1, 0:KEEP], first_off, r * ROW_BYTES)
        adds(column_off, value_off, 4)

        for tile in range(tile_begin, tile_end):
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)
            dup(best, NEG_LARGE)

            for nt in range(chunks):
                col0 = Var(nt * CHUNK)
                cols = Min(CHUNK, N - col0)
                x_in[slot][0:rows, 0:cols] <<= x[row0:row0 + rows, col0:col0 + cols]
                compare_scalar(in_row, col_ids, cols, CompareMode.LT)
                adds(ids, col_ids, col0)

                for row in range(rows):
                    select(keys, in_row, x_in[slot][row:row + 1, 0:CHUNK], NEG_LARGE, SelectMode.TENSOR_SCALAR)
                    sort32(runs, keys, ids.reinterpret(DT.uint32), CHUNK // 32)
                    mergesort4(chunk, runs, 32, 1)
                    mergesort_2seq(merged, best[row:row + 1, 0:KEEP * REC_F], chunk, KEEP, CHUNK)
                    # Whole 32-byte blocks, and bits are kept as they are:
                    # half of them are column numbers, not floats.
                    ub_to_ub(best[row:row + 1, 0:KEEP * REC_F], merged[0:1, 0:KEEP * REC_F])
                slot += 1

            # Even words are values, odd words are columns.
            gather(values_out, best, value_off.reinterpret(DT.uint32))
            gather(columns_out, best.reinterpret(DT.int), column_off.reinterpret(DT.uint32))
            values[row0:row0 + rows, 0:TOP_K] <<= values_out[0:rows, 0:TOP_K]
            columns[row0:row0 + rows, 0:TOP_K] <<= columns_out[0:rows, 0:TOP_K]
    return values, columns


if __name__ == "__main__":
    for M in [1, 17, 64]:
        N = 333
        x = torch.randn(M, N)
        values = torch.zeros(M, TOP_K)
        columns = torch.zeros(M, TOP_K, dtype=torch.int32)
        OpExec(topk_rows, "", simulator=True)(x, values, columns, M, N)
