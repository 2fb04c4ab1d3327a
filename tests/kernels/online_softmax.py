"""Softmax of long rows with a running maximum and a running sum.

    e = np.exp(x - x.max(1, keepdims=True));  y = e / e.sum(1, keepdims=True)

Shapes   x float [M, N], y float [M, N];  N is a multiple of 8, N >= 8
Tiling   64 rows per vec lane, lanes take row tiles round robin. Two passes over
         column tiles of 128: the first keeps the row state (max, sum), the
         second writes exp(x - max) / sum.
Padding  the last column tile may be narrower. Its tile is filled with -1e30
         before the load, so the missing columns lose every maximum and add
         exp(-1e30 - max) = 0 to every sum. A row pitch of whole 32-byte blocks
         (N % 8 == 0) keeps the pad lanes of the load out of the picture.

UB per lane, in bytes
    x_in       2 x [64,128] float    65536
    x_again        [64,128] float    32768
    shifted        [64,128] float    32768
    y_out          [64,128] float    32768
    fold           [64,64]  float    16384
    max8, inv8   2 x [64,8] float     4096
    row state    9 x [64,1] float     2304
    total                           186624  (of 196608)
"""
import torch

from easyasc.a2 import *

TILE_N = 128
HALF_N = TILE_N // 2
ROWS = 64
BLK = 8
NEG_LARGE = -1.0e30


@func()
def minus_rows(dst, src, rows8):
    # rows8 holds one block per row and is read with block stride 0.
    sub(dst[:, 0:HALF_N], src[:, 0:HALF_N], rows8)
    sub(dst[:, HALF_N:TILE_N], src[:, HALF_N:TILE_N], rows8)


@kernel()
def online_softmax(x: GMTensor, y: GMTensor, M: Var, N: Var):
    x_in = DBuff(DT.float, [ROWS, TILE_N], Position.UB)
    x_again = Tensor(DT.float, [ROWS, TILE_N], Position.UB)
    shifted = Tensor(DT.float, [ROWS, TILE_N], Position.UB)
    y_out = Tensor(DT.float, [ROWS, TILE_N], Position.UB)
    fold = Tensor(DT.float, [ROWS, HALF_N], Position.UB)
    max8 = Tensor(DT.float, [ROWS, BLK], Position.UB)
    inv8 = Tensor(DT.float, [ROWS, BLK], Position.UB)
    run_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    run_sum = Tensor(DT.float, [ROWS, 1], Position.UB)
    prev_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    tile_max = Tensor(DT.float, [ROWS, 1], Position.UB)
    tile_sum = Tensor(DT.float, [ROWS, 1], Position.UB)
    rescale = Tensor(DT.float, [ROWS, 1], Position.UB)
    inv_sum = Tensor(DT.float, [ROWS, 1], Position.UB)
    zero = Tensor(DT.float, [ROWS, 1], Position.UB)
    one = Tensor(DT.float, [ROWS, 1], Position.UB)

    tile_cleared = SEvent(Pipe.V, Pipe.MTE2)

    tiles_m = CeilDiv(M, ROWS)
    tiles_n = CeilDiv(N, TILE_N)
    slot = Var(0)

    with auto_sync():
        dup(zero, 0.0)
        dup(one, 1.0)
        # A row of 64 columns or fewer never reaches the right half of x_again,
        # which the second pass reads all the same.
        dup(x_again, NEG_LARGE)
        tile_cleared.set()
        tile_cleared.wait()

        for mt in range(GetVecIdx(), tiles_m, GetVecNum()):
            row0 = Var(mt * ROWS)
            rows = Min(ROWS, M - row0)
            dup(run_max, NEG_LARGE)
            dup(run_sum, 0.0)

            for nt in range(tiles_n):
                col0 = Var(nt * TILE_N)
                cols = Min(TILE_N, N - col0)

                # V writes the slot, then MTE2 loads over a part of it.
                dup(x_in[slot], NEG_LARGE)
                tile_cleared.set()
                tile_cleared.wait()
                x_in[slot][0:rows, 0:cols] <<= x[row0:row0 + rows, col0:col0 + cols]

                vmax(fold, x_in[slot][:, 0:HALF_N], x_in[slot][:, HALF_N:TILE_N])
                cmax(tile_max, fold)
                # A [64,1] column of scalars is packed; ub_to_ub would move a
                # 32-byte block per row, so the snapshot is an add with zero.
                add(prev_max, run_max, zero)
                vmax(run_max, run_max, tile_max)
                brcb(max8, run_max, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)

                minus_rows(shifted, x_in[slot], max8)
                exp(shifted, shifted)
                add(fold, shifted[:, 0:HALF_N], shifted[:, HALF_N:TILE_N])
                cadd(tile_sum, fold)

                # Sums that were taken against the old maximum are rescaled.
                sub(rescale, prev_max, run_max)
                exp(rescale, rescale)
                mul(run_sum, run_sum, rescale)
                add(run_sum, run_sum, tile_sum)
                slot += 1

            div(inv_sum, one, run_sum)
            brcb(max8, run_max, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            brcb(inv8, inv_sum, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)

            for out_nt in range(tiles_n):
                out_col = Var(out_nt * TILE_N)
                out_cols = Min(TILE_N, N - out_col)
                # Nothing is reduced here, so the padding needs no sentinel. It
                # may hold values of an earlier tile, though; the clamp, which
                # no real score notices, keeps their exp from overflowing.
                x_again[0:rows, 0:out_cols] <<= x[row0:row0 + rows, out_col:out_col + out_cols]
                minus_rows(y_out, x_again, max8)
                vmins(y_out, y_out, 0.0)
                exp(y_out, y_out)
                mul(y_out[:, 0:HALF_N], y_out[:, 0:HALF_N], inv8)
                mul(y_out[:, HALF_N:TILE_N], y_out[:, HALF_N:TILE_N], inv8)
                y[row0:row0 + rows, out_col:out_col + out_cols] <<= y_out[0:rows, 0:out_cols]
    return y


if __name__ == "__main__":
    for M in [1, 64, 127]:
        N = 296
        x = torch.randn(M, N)
        y = torch.empty(M, N)
        OpExec(online_softmax, "", simulator=True)(x, y, M, N)

    M, N = 300, 128
    x = torch.randn(M, N)
    y = torch.empty(M, N)
    OpExec(online_softmax, "", simulator=True)(x, y, M, N)
