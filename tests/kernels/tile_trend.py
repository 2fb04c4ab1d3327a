"""How the sums of column tiles develop along a row.

    s = x.reshape(M, T, 64).sum(2)                       T = N / 64 tiles
    last = s[:, -1];  moving = mean of the last four sums, missing ones are 0
    top = s.max(1);  gain = largest s[:, t] - max(0, s[:, :t]) over t, at least 0
    turn = s[:, -1] - 2 * s[:, -2] + s[:, -3], missing ones are 0

Shapes   x float [M, N], outputs float [M];  N is a multiple of 64
Tiling   64 rows per vec lane; 64 columns, one repeat, per step.
History  a shift register of four columns of row scalars, moved on by one per
         tile: oldest first, each an add with zero. (A column [64,1] is packed;
         ub_to_ub moves whole blocks.)
"""
import torch

from easyasc.a2 import *

ROWS = 64
TILE_N = 64
LOWEST = -1.0e30


@kernel()
def tile_trend(
    x: GMTensor,
    last: GMTensor,
    moving: GMTensor,
    top: GMTensor,
    gain: GMTensor,
    turn: GMTensor,
    M: Var,
    N: Var,
):
    x_in = DBuff(DT.float, [ROWS, TILE_N], Position.UB)
    zero = Tensor(DT.float, [ROWS, 1], Position.UB)
    tile_sum = Tensor(DT.float, [ROWS, 1], Position.UB)
    newest = Tensor(DT.float, [ROWS, 1], Position.UB)
    second = Tensor(DT.float, [ROWS, 1], Position.UB)
    third = Tensor(DT.float, [ROWS, 1], Position.UB)
    oldest = Tensor(DT.float, [ROWS, 1], Position.UB)
    best = Tensor(DT.float, [ROWS, 1], Position.UB)
    floor = Tensor(DT.float, [ROWS, 1], Position.UB)
    old_floor = Tensor(DT.float, [ROWS, 1], Position.UB)
    best_gain = Tensor(DT.float, [ROWS, 1], Position.UB)
    work = Tensor(DT.float, [ROWS, 1], Position.UB)

    last_out = Tensor(DT.float, [1, ROWS], Position.UB)
    moving_out = Tensor(DT.float, [1, ROWS], Position.UB)
    top_out = Tensor(DT.float, [1, ROWS], Position.UB)
    gain_out = Tensor(DT.float, [1, ROWS], Position.UB)
    turn_out = Tensor(DT.float, [1, ROWS], Position.UB)

    tiles_m = CeilDiv(M, ROWS)
    tiles_n = CeilDiv(N, TILE_N)
    slot = Var(0)
    stored = SEvent(Pipe.MTE3, Pipe.V)

    stored.set()

    with auto_sync():
        dup(zero, 0.0)
        for mt in range(GetVecIdx(), tiles_m, GetVecNum()):
            row0 = Var(mt * ROWS)
            rows = Min(ROWS, M - row0)
            add(newest, zero, zero)
            add(second, zero, zero)
            add(third, zero, zero)
            add(oldest, zero, zero)
            add(floor, zero, zero)
            add(best_gain, zero, zero)
            dup(best, LOWEST)

            for nt in range(tiles_n):
                col0 = Var(nt * TILE_N)
                x_in[slot][0:rows, 0:TILE_N] <<= x[row0:row0 + rows, col0:col0 + TILE_N]
                cadd(tile_sum, x_in[slot])

                add(oldest, third, zero)
                add(third, second, zero)
                add(second, newest, zero)
                add(newest, tile_sum, zero)

                vmax(best, best, tile_sum)
                # The gain is measured against what was there before this tile.
                add(old_floor, floor, zero)
                vmax(floor, floor, tile_sum)
                sub(work, tile_sum, old_floor)
                vmax(best_gain, best_gain, work)
                slot += 1

            stored.wait()
            add(last_out, newest, zero)
            add(top_out, best, zero)
            add(gain_out, best_gain, zero)
            add(work, newest, second)
            add(work, work, third)
            add(work, work, oldest)
            muls(moving_out, work, 0.25)
            sub(work, newest, second)
            sub(work, work, second)
            add(turn_out, work, third)
            last[row0:row0 + rows] <<= last_out[0:1, 0:rows]
            moving[row0:row0 + rows] <<= moving_out[0:1, 0:rows]
            top[row0:row0 + rows] <<= top_out[0:1, 0:rows]
            gain[row0:row0 + rows] <<= gain_out[0:1, 0:rows]
            turn[row0:row0 + rows] <<= turn_out[0:1, 0:rows]
            stored.set()
    return last, moving, top, gain, turn


if __name__ == "__main__":
    for M, N in [(1, 64), (64, 128), (127, 320)]:
        x = torch.randn(M, N)
        last = torch.empty(M)
        moving = torch.empty(M)
        top = torch.empty(M)
        gain = torch.empty(M)
        turn = torch.empty(M)
        OpExec(tile_trend, "", simulator=True)(x, last, moving, top, gain, turn, M, N)
