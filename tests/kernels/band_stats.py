"""Row statistics over bands of columns that are no whole blocks, by vector masks.

band_energy    power = x * x;  low = power[:, :6].sum(1);  mid = power[:, 6:25].sum(1)
               high = power[:, 25:64].sum(1)
    x float [M, 64], low, mid, high float [M]
band_peaks     dc = x[:, :3].max(1);  voice = x[:, 3:70].max(1);  hiss = x[:, 70:128].min(1)
    x half [M, 128], dc, voice, hiss half [M]
gate_bands     y = x, with columns 6..24 scaled by gain and columns 25.. clamped to [-limit, limit]
    x float [M, 64], y float [M, 64]

Masks    bit i of `low` is lane i, bit i of `high` lane 64 + i of every repeat. A
         float row of 64 columns is one repeat and sees `low` only; a half row
         of 128 columns is one repeat and sees both. Work that concerns all
         columns runs under the full mask, so every mask is reset behind the
         one instruction that it is for.
Tiling   128 rows per core and step, 64 per vec lane.

band_energy, UB per lane in bytes
    x_in       2 x [64,64]  float    32768
    power          [64,64]  float    16384
    low .. high  3 x 2 x [1,64] float 1536
    total                            50688  (of 196608)
"""
import torch

from easyasc.a2 import *

TILE_M = 128
HALF_M = TILE_M // 2
D = 64                                  # float lanes of one repeat
WIDE_D = 128                            # half lanes of one repeat

LOW_END = 6
MID_END = 25
ALL_64 = 0xFFFFFFFFFFFFFFFF
LOW = (1 << LOW_END) - 1                # lanes 0..5
MID = (1 << MID_END) - 1 - LOW          # lanes 6..24
HIGH = ALL_64 - LOW - MID               # lanes 25..63

DC = 7                                  # lanes 0..2
VOICE_HIGH = 0x3F                       # lanes 64..69
HISS_HIGH = ALL_64 - VOICE_HIGH         # lanes 70..127


# a2lint: launch(M=65)
@kernel()
def band_energy(x: GMTensor, low: GMTensor, mid: GMTensor, high: GMTensor, M: Var):
    x_in = DBuff(DT.float, [HALF_M, D], Position.UB)
    power = Tensor(DT.float, [HALF_M, D], Position.UB)
    low_out = DBuff(DT.float, [1, HALF_M], Position.UB)
    mid_out = DBuff(DT.float, [1, HALF_M], Position.UB)
    high_out = DBuff(DT.float, [1, HALF_M], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)
            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
            mul(power, x_in[slot], x_in[slot])

            set_mask(0, LOW)
            cadd(low_out[slot], power)
            reset_mask()
            # Half of the energy of a real signal sits in the mirrored band.
            muls(low_out[slot], low_out[slot], 2.0)

            set_mask(0, MID)
            cadd(mid_out[slot], power)
            reset_mask()
            muls(mid_out[slot], mid_out[slot], 2.0)

            set_mask(0, HIGH)
            cadd(high_out[slot], power)
            reset_mask()
            muls(high_out[slot], high_out[slot], 2.0)

            low[row0:row0 + rows] <<= low_out[slot][0:1, 0:rows]
            mid[row0:row0 + rows] <<= mid_out[slot][0:1, 0:rows]
            high[row0:row0 + rows] <<= high_out[slot][0:1, 0:rows]
            slot += 1
    return low, mid, high


# a2lint: launch(M=65)
@kernel()
def band_peaks(x: GMTensor, dc: GMTensor, voice: GMTensor, hiss: GMTensor, M: Var):
    x_in = DBuff(DT.half, [HALF_M, WIDE_D], Position.UB)
    dc_out = DBuff(DT.half, [1, HALF_M], Position.UB)
    voice_out = DBuff(DT.half, [1, HALF_M], Position.UB)
    hiss_out = DBuff(DT.half, [1, HALF_M], Position.UB)
    loud = Tensor(DT.half, [HALF_M, WIDE_D], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)
            x_in[slot][0:rows, 0:WIDE_D] <<= x[row0:row0 + rows, 0:WIDE_D]

            set_mask(0, DC)
            cmax(dc_out[slot], x_in[slot])
            reset_mask()

            muls(loud, x_in[slot], 2.0)
            set_mask(VOICE_HIGH, ALL_64 - DC)
            cmax(voice_out[slot], loud)
            reset_mask()

            muls(loud, loud, 0.5)
            set_mask(HISS_HIGH, 0)
            cmin(hiss_out[slot], loud)
            reset_mask()

            muls(voice_out[slot], voice_out[slot], 0.5, count=HALF_M)
            dc[row0:row0 + rows] <<= dc_out[slot][0:1, 0:rows]
            voice[row0:row0 + rows] <<= voice_out[slot][0:1, 0:rows]
            hiss[row0:row0 + rows] <<= hiss_out[slot][0:1, 0:rows]
            slot += 1
    return dc, voice, hiss


# a2lint: launch(M=65, gain=0.25, limit=1.5)
@kernel()
def gate_bands(x: GMTensor, y: GMTensor, M: Var, gain: Var, limit: Var):
    x_in = DBuff(DT.float, [HALF_M, D], Position.UB)
    y_out = DBuff(DT.float, [HALF_M, D], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    slot = Var(0)
    lowest = Var(0.0 - limit)

    with auto_sync():
        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)
            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
            muls(y_out[slot], x_in[slot], 1.0)

            # Lanes behind the mask keep what the copy has left there.
            set_mask(0, MID)
            muls(y_out[slot], x_in[slot], gain)
            reset_mask()

            set_mask(0, HIGH)
            vmins(y_out[slot], x_in[slot], limit)
            vmaxs(y_out[slot], y_out[slot], lowest)
            reset_mask()

            y[row0:row0 + rows, 0:D] <<= y_out[slot][0:rows, 0:D]
            slot += 1
    return y


if __name__ == "__main__":
    for M in [1, 64, 300]:
        x = torch.randn(M, D)
        low = torch.zeros(M)
        mid = torch.zeros(M)
        high = torch.zeros(M)
        OpExec(band_energy, "", simulator=True)(x, low, mid, high, M)

        h = torch.randn(M, WIDE_D).half()
        dc = torch.zeros(M).half()
        voice = torch.zeros(M).half()
        hiss = torch.zeros(M).half()
        OpExec(band_peaks, "", simulator=True)(h, dc, voice, hiss, M)

        y = torch.zeros(M, D)
        OpExec(gate_bands, "", simulator=True)(x, y, M, 0.25, 1.5)
