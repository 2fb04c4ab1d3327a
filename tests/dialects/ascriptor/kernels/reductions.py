"""Three reductions of one float matrix: sums of rows, maxima of columns, and its total.

    row_sum     s = x.sum(axis=1)
    column_max  t = x.max(axis=0)
    total       s = s0 + x.sum()            added by all lanes into one place

    x  f32  [M, N]       any M >= 1, N >= 1
"""
from ascriptor.a2 import *

LANES = 64
ROWS = 64
LOWEST = -1.0e30


@func()
def add_up(tile):
    """Row 0 of a tile of 64 rows becomes the sum of all."""
    for half in (32, 16, 8, 4, 2, 1):
        add(tile[0:half, :], tile[0:half, :], tile[half:2 * half, :])


@kernel(mode="vec")
def row_sum(x: GM[f32, ("M", "N")], s: GM[f32, "M"]):
    tile = DBuff(f32, [ROWS, LANES], Position.UB)
    part = Tensor(f32, [1, ROWS], Position.UB)
    out = DBuff(f32, [1, ROWS], Position.UB)
    beat = Var(0)
    done = Var(0)

    for step in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
        row0 = step * ROWS
        rows = Min(ROWS, M - row0)
        with auto_sync():
            dup(out[done], 0.0)
            for col0 in range(0, N, LANES):
                columns = Min(LANES, N - col0)
                dup(tile[beat], 0.0)
                window = x[row0:row0 + rows, col0:col0 + columns]
                gm_to_ub_pad(tile[beat][0:rows, 0:columns], window, pad=0.0)
                cadd(part, tile[beat])
                add(out[done], out[done], part)
                beat += 1
            s[row0:row0 + rows] <<= out[done][:, 0:rows]
            done += 1
    return s


@kernel(mode="vec")
def column_max(x: GM[f32, ("M", "N")], t: GM[f32, "N"]):
    tile = TBuff(f32, [ROWS, LANES], Position.UB)
    best = DBuff(f32, [1, LANES], Position.UB)
    beat = Var(0)
    done = Var(0)

    with auto_sync():
        for step in range(GetVecIdx(), CeilDiv(N, LANES), GetVecNum()):
            col0 = step * LANES
            columns = Min(LANES, N - col0)
            dup(best[done], LOWEST)
            for row0 in range(0, M, ROWS):
                rows = Min(ROWS, M - row0)
                tile[beat][0:rows, 0:columns] <<= x[row0:row0 + rows, col0:col0 + columns]
                for r in range(rows):
                    vmax(best[done], best[done], tile[beat][r:r + 1, :])
                beat += 1
            t[col0:col0 + columns] <<= best[done][:, 0:columns]
            done += 1
    return t


@kernel(mode="vec", block_dim=8)
def total(x: GM[f32, ("M", "N")], s: GM[f32, 1]):
    """The caller gives what `s` starts with (seed_outputs=True)."""
    tile = DBuff(f32, [ROWS, LANES], Position.UB)
    sums = Tensor(f32, [ROWS, LANES], Position.UB)
    out = Tensor(f32, [1, 8], Position.UB)
    beat = Var(0)

    with auto_sync():
        dup(sums, 0.0)
        for step in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
            row0 = step * ROWS
            rows = Min(ROWS, M - row0)
            for col0 in range(0, N, LANES):
                columns = Min(LANES, N - col0)
                dup(tile[beat], 0.0)
                window = x[row0:row0 + rows, col0:col0 + columns]
                gm_to_ub_pad(tile[beat][0:rows, 0:columns], window, pad=0.0)
                add(sums, sums, tile[beat])
                beat += 1
        add_up(sums)
        cadd(out, sums[0:1, :])
        with atomic_add():
            s[0:1] <<= out[0:1, 0:1]
    return s


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for M, N in [(1, 1), (65, 127), (300, 64)]:
        x = torch.randn(M, N)
        OpExec(row_sum, launcher="sim")(x, torch.empty(M))
        OpExec(column_max, launcher="sim", block_dim=3)(x, torch.empty(N))
        OpExec(total, launcher="sim", seed_outputs=True)(x, torch.zeros(1))
