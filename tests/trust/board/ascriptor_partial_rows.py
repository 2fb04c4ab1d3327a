# Maxima of parts: ten tiles on eight lanes fill five rows; the reader takes eight.
from ascriptor.a2 import *

ROWS = 16
LANES = 8


@kernel(mode="mix", block_dim=4)
def as_many_as_lanes(x: GM[f32, ("M", 64)], y: GM[f32, (1, 64)]):
    tile = DBuff(f32, [ROWS, 64], Position.UB)
    part = Tensor(f32, [1, 64], Position.UB)
    parts = Tensor(f32, [LANES, 64], Position.UB)
    ws = split_workspace(f32, [LANES, 64])
    tiles = CeilDiv(M, ROWS)
    each = CeilDiv(tiles, LANES)
    lane = GetVecIdx()
    first = lane * each
    last = Min(first + each, tiles)
    beat = Var(0)
    with auto_sync():
        if first < tiles:
            dup(part, -3.0e38)
            for t in range(first, last):
                tile[beat] <<= x[t * ROWS:t * ROWS + ROWS, :]
                for r in range(0, ROWS):
                    vmax(part, part, tile[beat, r:r + 1, 0:64])
                beat += 1
            ws[lane:lane + 1, 0:64] <<= part
    allvec_ready(0)
    allvec_wait(0)
    with auto_sync():
        if lane == 0:
            written = Min(tiles, LANES)
            parts[0:written, 0:64] <<= ws[0:written, 0:64]
            for r in range(1, written):
                vmax(parts[0:1, 0:64], parts[0:1, 0:64], parts[r:r + 1, 0:64])  #~ ERROR unseeded-accumulation: nothing has written it
            y[0:1, :] <<= parts[0:1, 0:64]
    return y


@kernel(mode="mix", block_dim=4)
def as_many_as_written(x: GM[f32, ("M", 64)], y: GM[f32, (1, 64)]):
    tile = DBuff(f32, [ROWS, 64], Position.UB)
    part = Tensor(f32, [1, 64], Position.UB)
    parts = Tensor(f32, [LANES, 64], Position.UB)
    ws = split_workspace(f32, [LANES, 64])
    tiles = CeilDiv(M, ROWS)
    each = CeilDiv(tiles, LANES)
    lane = GetVecIdx()
    first = lane * each
    last = Min(first + each, tiles)
    beat = Var(0)
    with auto_sync():
        if first < tiles:
            dup(part, -3.0e38)
            for t in range(first, last):
                tile[beat] <<= x[t * ROWS:t * ROWS + ROWS, :]
                for r in range(0, ROWS):
                    vmax(part, part, tile[beat, r:r + 1, 0:64])
                beat += 1
            ws[lane:lane + 1, 0:64] <<= part
    allvec_ready(0)
    allvec_wait(0)
    with auto_sync():
        if lane == 0:
            written = CeilDiv(tiles, each)
            parts[0:written, 0:64] <<= ws[0:written, 0:64]
            for r in range(1, written):
                vmax(parts[0:1, 0:64], parts[0:1, 0:64], parts[r:r + 1, 0:64])
            y[0:1, :] <<= parts[0:1, 0:64]
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    OpExec(as_many_as_lanes, launcher="sim")(torch.randn(160, 64), torch.empty(1, 64))
    OpExec(as_many_as_written, launcher="sim")(torch.randn(160, 64), torch.empty(1, 64))
