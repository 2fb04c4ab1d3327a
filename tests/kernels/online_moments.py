"""Mean, variance and range of long rows in one pass, merged tile by tile.

    mean = x.mean(1);  var = x.var(1);  least = x.min(1);  most = x.max(1)
    jump = largest difference of the maxima of two neighbouring column tiles, at least 0

Shapes   x float [M, N], all outputs float [M];  N is a multiple of 64
Tiling   64 rows per vec lane; 64 columns, one repeat, per step.
Merging  n columns seen with mean m and sum of squares s, a tile of 64 with
         mean t and sum of squares q:
             d = t - m;  m += d * 64 / (n + 64);  s += q + d * d * n * 64 / (n + 64)
         The old state is needed after the new one has been written: snapshots
         of a column of row scalars. A [64,1] column is packed, and ub_to_ub
         would move a block of 32 bytes per row, so a snapshot is an add with zero.

UB per lane, in bytes
    x_in       2 x [64,64] float    32768
    centred, square [64,64] float   32768
    t8             [64,8]  float     2048
    row scalars 16 x [64,1] float    4096
    total                           71680  (of 196608)
"""
import torch

from easyasc.a2 import *

ROWS = 64
TILE_N = 64
BLK = 8
HIGHEST = 1.0e30
INV_TILE = 1.0 / TILE_N


@kernel()
def online_moments(
    x: GMTensor,
    mean: GMTensor,
    var: GMTensor,
    least: GMTensor,
    most: GMTensor,
    jump: GMTensor,
    M: Var,
    N: Var,
    inv_n: Var,
):
    x_in = DBuff(DT.float, [ROWS, TILE_N], Position.UB)
    centred = Tensor(DT.float, [ROWS, TILE_N], Position.UB)
    square = Tensor(DT.float, [ROWS, TILE_N], Position.UB)
    t8 = Tensor(DT.float, [ROWS, BLK], Position.UB)

    zero = Tensor(DT.float, [ROWS, 1], Position.UB)
    run_mean = Tensor(DT.float, [ROWS, 1], Position.UB)
    run_square = Tensor(DT.float, [ROWS, 1], Position.UB)
    run_min = Tensor(DT.float, [ROWS, 1], Position.UB)
    run_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    run_jump = Tensor(DT.float, [ROWS, 1], Position.UB)
    old_mean = Tensor(DT.float, [ROWS, 1], Position.UB)
    old_peak = Tensor(DT.float, [ROWS, 1], Position.UB)
    peak = Tensor(DT.float, [ROWS, 1], Position.UB)
    tile_mean = Tensor(DT.float, [ROWS, 1], Position.UB)
    tile_square = Tensor(DT.float, [ROWS, 1], Position.UB)
    tile_min = Tensor(DT.float, [ROWS, 1], Position.UB)
    delta = Tensor(DT.float, [ROWS, 1], Position.UB)
    step = Tensor(DT.float, [ROWS, 1], Position.UB)

    mean_out = Tensor(DT.float, [1, ROWS], Position.UB)
    var_out = Tensor(DT.float, [1, ROWS], Position.UB)
    least_out = Tensor(DT.float, [1, ROWS], Position.UB)
    most_out = Tensor(DT.float, [1, ROWS], Position.UB)
    jump_out = Tensor(DT.float, [1, ROWS], Position.UB)

    tiles_m = CeilDiv(M, ROWS)
    tiles_n = CeilDiv(N, TILE_N)
    slot = Var(0)
    out_free = SEvent(Pipe.MTE3, Pipe.V)

    out_free.set()

    with auto_sync():
        dup(zero, 0.0)
        for mt in range(GetVecIdx(), tiles_m, GetVecNum()):
            row0 = Var(mt * ROWS)
            rows = Min(ROWS, M - row0)
            dup(run_mean, 0.0)
            dup(run_square, 0.0)
            dup(run_min, HIGHEST)
            dup(run_max, -HIGHEST)
            dup(run_jump, 0.0)

            for nt in range(tiles_n):
                col0 = Var(nt * TILE_N)
                x_in[slot][0:rows, 0:TILE_N] <<= x[row0:row0 + rows, col0:col0 + TILE_N]

                # ---- the tile alone
                cmin(tile_min, x_in[slot])
                cmax(peak, x_in[slot])
                cadd(tile_mean, x_in[slot])
                muls(tile_mean, tile_mean, INV_TILE)
                brcb(t8, tile_mean, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
                sub(centred, x_in[slot], t8)
                mul(square, centred, centred)
                cadd(tile_square, square)

                # ---- the range, and the jump from the tile before
                vmin(run_min, run_min, tile_min)
                vmax(run_max, run_max, peak)
                if nt > 0:
                    sub(step, peak, old_peak)
                    abs(step, step)
                    vmax(run_jump, run_jump, step)
                add(old_peak, peak, zero)

                # ---- mean and squares: the update of one needs the other's old value
                before = Var(nt, DT.float)
                share = Var(1.0 / (before + 1.0))
                add(old_mean, run_mean, zero)
                sub(delta, tile_mean, old_mean)
                muls(step, delta, share)
                add(run_mean, old_mean, step)
                mul(delta, delta, step)
                muls(delta, delta, before * TILE_N)
                add(run_square, run_square, tile_square)
                add(run_square, run_square, delta)
                slot += 1

            out_free.wait()
            add(mean_out, run_mean, zero)
            muls(var_out, run_square, inv_n)
            add(least_out, run_min, zero)
            add(most_out, run_max, zero)
            add(jump_out, run_jump, zero)
            mean[row0:row0 + rows] <<= mean_out[0:1, 0:rows]
            var[row0:row0 + rows] <<= var_out[0:1, 0:rows]
            least[row0:row0 + rows] <<= least_out[0:1, 0:rows]
            most[row0:row0 + rows] <<= most_out[0:1, 0:rows]
            jump[row0:row0 + rows] <<= jump_out[0:1, 0:rows]
            out_free.set()
    return mean, var, least, most, jump


if __name__ == "__main__":
    for M, N in [(1, 64), (64, 128), (127, 320)]:
        x = torch.randn(M, N)
        mean = torch.empty(M)
        var = torch.empty(M)
        least = torch.empty(M)
        most = torch.empty(M)
        jump = torch.empty(M)
        OpExec(online_moments, "", simulator=True)(x, mean, var, least, most, jump, M, N, 1.0 / N)
