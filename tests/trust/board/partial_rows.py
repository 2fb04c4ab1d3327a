# Partial sums: 41 tiles on 40 lanes fill 21 rows, not 40. The rest is whatever an earlier kernel left there.
import torch

from easyasc.a2 import *

ROWS = 32
LANES = 40


@kernel(mode="mix")
def as_many_as_lanes(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [ROWS, 64], Position.UB)
    part = Tensor(DT.float, [1, 64], Position.UB)
    parts = Tensor(DT.float, [LANES, 64], Position.UB)
    ws = split_workspace(DT.float, [LANES, 64])
    tiles = CeilDiv(M, ROWS)
    each = CeilDiv(tiles, LANES)
    lane = GetVecIdx()
    first = Var(lane * each)
    last = Min(first + each, tiles)
    beat = Var(0)
    if first < tiles:
        with auto_sync():
            dup(part, 0.0)
            for t in range(first, last):
                tile[beat] <<= x[t * ROWS:t * ROWS + ROWS, 0:64]
                for r in range(0, ROWS):
                    add(part, part, tile[beat][r:r + 1, 0:64])
                beat += 1
            ws[lane:lane + 1, 0:64] <<= part
    allvec_ready(0)
    allvec_wait(0)
    if lane == 0:
        with auto_sync():
            written = Min(tiles, LANES)
            parts[0:written, 0:64] <<= ws[0:written, 0:64]
            for r in range(1, written):
                add(parts[0:1, 0:64], parts[0:1, 0:64], parts[r:r + 1, 0:64])  #~ ERROR unseeded-accumulation: nothing has written it
            y[0:1, 0:64] <<= parts[0:1, 0:64]
    return y


@kernel(mode="mix")
def as_many_as_written(x: GMTensor, y: GMTensor, M: Var):
    tile = DBuff(DT.float, [ROWS, 64], Position.UB)
    part = Tensor(DT.float, [1, 64], Position.UB)
    parts = Tensor(DT.float, [LANES, 64], Position.UB)
    ws = split_workspace(DT.float, [LANES, 64])
    tiles = CeilDiv(M, ROWS)
    each = CeilDiv(tiles, LANES)
    lane = GetVecIdx()
    first = Var(lane * each)
    last = Min(first + each, tiles)
    beat = Var(0)
    if first < tiles:
        with auto_sync():
            dup(part, 0.0)
            for t in range(first, last):
                tile[beat] <<= x[t * ROWS:t * ROWS + ROWS, 0:64]
                for r in range(0, ROWS):
                    add(part, part, tile[beat][r:r + 1, 0:64])
                beat += 1
            ws[lane:lane + 1, 0:64] <<= part
    allvec_ready(0)
    allvec_wait(0)
    if lane == 0:
        with auto_sync():
            written = CeilDiv(tiles, each)
            parts[0:written, 0:64] <<= ws[0:written, 0:64]
            for r in range(1, written):
                add(parts[0:1, 0:64], parts[0:1, 0:64], parts[r:r + 1, 0:64])
            y[0:1, 0:64] <<= parts[0:1, 0:64]
    return y


if __name__ == "__main__":
    OpExec(as_many_as_lanes, "", simulator=True)(torch.randn(1312, 64), torch.zeros(1, 64), 1312)
    OpExec(as_many_as_written, "", simulator=True)(torch.randn(1312, 64), torch.zeros(1, 64), 1312)
