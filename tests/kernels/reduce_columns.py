"""Row reductions under a vector mask.

row_stats      mean = x.sum(1) * (1 / 200);  peak = x.max(1)
    x float [M, 200], mean float [M], peak float [M]
segment_range  top = x[:, :80].max(1);  bottom = x[:, 80:].min(1)
    x half [M, 128], top half [M], bottom half [M]

Masks    a mask has one bit per lane of a repeat and is the same for every
         repeat. set_mask(high, low): `low` is lanes 0-63, `high` lanes 64-127.
         A float repeat has 64 lanes and sees `low` only; a half repeat has 128
         and sees both. Masked lanes of cadd count 0, of cmax/cmin they never
         win, and elementwise instructions leave their destination alone, so
         columns that were never loaded stay out of every result.
Tiling   128 rows per core and step, 64 per vec lane.

row_stats, UB per lane in bytes
    x_in       2 x [64,256] float   131072
    fold           [64,64]  float    16384
    tail_peak      [1,64]   float      256
    mean_out   2 x [1,64]   float      512
    peak_out   2 x [1,64]   float      512
    total                           148736  (of 196608)
segment_range, UB per lane in bytes
    x_in       2 x [64,128] half     32768
    top_out    2 x [1,64]   half       256
    bottom_out 2 x [1,64]   half       256
    total                            33280  (of 196608)
"""
import torch

from easyasc.a2 import *

TILE_M = 128
HALF_M = TILE_M // 2

D = 200
LANES = 64                                   # float lanes of one repeat
PAD_D = 4 * LANES
TAIL = D - 3 * LANES                         # 8 columns in the last repeat
TAIL_LOW = (1 << TAIL) - 1

SEG_D = 128                                  # half lanes of one repeat
SPLIT = 80
ALL_64 = 0xFFFFFFFFFFFFFFFF
FIRST_HIGH = (1 << (SPLIT - 64)) - 1         # lanes 64..79
SECOND_HIGH = ALL_64 - FIRST_HIGH            # lanes 80..127


# a2lint: launch(M=65)
@kernel()
def row_stats(x: GMTensor, mean: GMTensor, peak: GMTensor, M: Var):
    x_in = DBuff(DT.float, [HALF_M, PAD_D], Position.UB)
    fold = Tensor(DT.float, [HALF_M, LANES], Position.UB)
    tail_peak = Tensor(DT.float, [1, HALF_M], Position.UB)
    mean_out = DBuff(DT.float, [1, HALF_M], Position.UB)
    peak_out = DBuff(DT.float, [1, HALF_M], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    per_core = CeilDiv(tiles, GetCubeNum())
    tile_begin = Var(per_core * GetCubeIdx())
    tile_end = Min(tile_begin + per_core, tiles)
    slot = Var(0)

    with auto_sync():
        for tile in range(tile_begin, tile_end):
            row0 = Var(tile * TILE_M + sb * HALF_M)
            rows = Min(HALF_M, Max(M - row0, 0))
            if rows > 0:
                # Columns 200..255 of the tile are never written.
                x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]

                # Maximum: three full slices unmasked, the last one under the
                # mask as a reduction of its own.
                vmax(fold, x_in[slot][:, 0:LANES], x_in[slot][:, LANES:2 * LANES])
                vmax(fold, fold, x_in[slot][:, 2 * LANES:3 * LANES])
                cmax(peak_out[slot], fold)
                set_mask(0, TAIL_LOW)
                cmax(tail_peak, x_in[slot][:, 3 * LANES:PAD_D])
                reset_mask()
                vmax(peak_out[slot], peak_out[slot], tail_peak)

                # Sum: the last slice is added into the first 8 lanes only.
                add(fold, x_in[slot][:, 0:LANES], x_in[slot][:, LANES:2 * LANES])
                add(fold, fold, x_in[slot][:, 2 * LANES:3 * LANES])
                set_mask(0, TAIL_LOW)
                add(fold, fold, x_in[slot][:, 3 * LANES:PAD_D])
                reset_mask()
                cadd(mean_out[slot], fold)
                muls(mean_out[slot], mean_out[slot], 1.0 / D)

                mean[row0:row0 + rows] <<= mean_out[slot][0:1, 0:rows]
                peak[row0:row0 + rows] <<= peak_out[slot][0:1, 0:rows]
                slot += 1
    return mean, peak


# a2lint: launch(M=65)
@kernel(mode="vec")
def segment_range(x: GMTensor, top: GMTensor, bottom: GMTensor, M: Var):
    x_in = DBuff(DT.half, [HALF_M, SEG_D], Position.UB)
    top_out = DBuff(DT.half, [1, HALF_M], Position.UB)
    bottom_out = DBuff(DT.half, [1, HALF_M], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            row0 = Var(tile * TILE_M + sb * HALF_M)
            rows = Min(HALF_M, Max(M - row0, 0))
            if rows > 0:
                x_in[slot][0:rows, 0:SEG_D] <<= x[row0:row0 + rows, 0:SEG_D]

                # A row of 128 halves is one repeat: one result per row.
                set_mask(FIRST_HIGH, ALL_64)
                cmax(top_out[slot], x_in[slot])
                set_mask(SECOND_HIGH, 0)
                cmin(bottom_out[slot], x_in[slot])
                reset_mask()

                top[row0:row0 + rows] <<= top_out[slot][0:1, 0:rows]
                bottom[row0:row0 + rows] <<= bottom_out[slot][0:1, 0:rows]
                slot += 1
    return top, bottom


if __name__ == "__main__":
    for M in [1, 64, 300]:
        x = torch.randn(M, D)
        mean = torch.zeros(M)
        peak = torch.zeros(M)
        OpExec(row_stats, "", simulator=True)(x, mean, peak, M)

    for M in [63, 127]:
        x = torch.randn(M, SEG_D).half()
        top = torch.zeros(M).half()
        bottom = torch.zeros(M).half()
        OpExec(segment_range, "", simulator=True)(x, top, bottom, M)
