"""Row RMS normalisation, written with contiguous `count=` instructions.

    xf = x.astype(np.float32)
    y  = (xf / np.sqrt((xf * xf).sum(1, keepdims=True) * inv_d + eps) * w).astype(np.float16)

Shapes   x half [M, D], w float [D], y half [M, D]
         D is a multiple of 16 and at most 256; inv_d = 1 / D comes from the host.
Tiling   64 rows per core and step, 32 per vec lane, each padded to 256 columns.
         [32, 256] floats are 256 repeats, one more than an instruction can
         do: the counter form has no such limit and also stops after the rows
         that really arrived.

UB per lane, in bytes
    x_in       2 x [32,256] half     32768
    y_out      2 x [32,256] half     32768
    xf, sq     2 x [32,256] float    65536
    fold           [32,64]  float     8192
    weight         [1,256]  float     1024
    row scalars  4 x [1,32] float      512
    spread         [32,8]   float     1024
    total                           141824  (of 196608)
"""
import torch

from easyasc.a2 import *

MAX_D = 256
LANES = 64                          # float lanes of one repeat
TILE_M = 64
HALF_M = TILE_M // 2
BLK = 8


@kernel
def rms_norm(x: GMTensor, w: GMTensor, y: GMTensor, M: Var, D: Var, inv_d: Var, eps: Var):
    x_in = DBuff(DT.half, [HALF_M, MAX_D], Position.UB)
    y_out = DBuff(DT.half, [HALF_M, MAX_D], Position.UB)
    xf = Tensor(DT.float, [HALF_M, MAX_D], Position.UB)
    sq = Tensor(DT.float, [HALF_M, MAX_D], Position.UB)
    fold = Tensor(DT.float, [HALF_M, LANES], Position.UB)
    weight = Tensor(DT.float, [1, MAX_D], Position.UB)
    square_sum = Tensor(DT.float, [1, HALF_M], Position.UB)
    rms = Tensor(DT.float, [1, HALF_M], Position.UB)
    inv_rms = Tensor(DT.float, [1, HALF_M], Position.UB)
    ones = Tensor(DT.float, [1, HALF_M], Position.UB)
    spread = Tensor(DT.float, [HALF_M, BLK], Position.UB)

    padding_zeroed = SEvent(Pipe.V, Pipe.MTE2)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    slot = Var(0)

    with auto_sync():
        # Columns D..255 are cleared once: D is a multiple of a 32-byte block
        # of halves, so no load ever touches them again. The loads run on MTE2
        # and auto_sync does not order V before MTE2, hence the event.
        dup(x_in[0], 0.0)
        dup(x_in[1], 0.0)
        dup(weight, 0.0)
        dup(ones, 1.0, count=HALF_M)    # 32 lanes only: the plain form would do 64
        padding_zeroed.set()
        padding_zeroed.wait()
        weight[0:1, 0:D] <<= w[0:D]

        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)
            if rows > 0:
                live = Var(rows * MAX_D)
                x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
                cast(xf, x_in[slot], count=live)
                mul(sq, xf, xf, count=live)

                # 256 -> 64 columns, then one repeat per row. Rows behind
                # `rows` are stale or undefined from end to end; they stay
                # in their own lanes and are never stored.
                add(fold, sq[:, 0:LANES], sq[:, LANES:2 * LANES])
                add(fold, fold, sq[:, 2 * LANES:3 * LANES])
                add(fold, fold, sq[:, 3 * LANES:4 * LANES])
                cadd(square_sum, fold)

                # 32 row scalars are half a repeat; count= keeps the
                # instructions inside the 128-byte tensors.
                muls(square_sum, square_sum, inv_d, count=HALF_M)
                adds(square_sum, square_sum, eps, count=HALF_M)
                sqrt(rms, square_sum, count=HALF_M)
                div(inv_rms, ones, rms, count=HALF_M)
                brcb(spread, inv_rms, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF_M // 8)

                for part in unroll(MAX_D // LANES):
                    lo = part * LANES
                    hi = lo + LANES
                    mul(xf[:, lo:hi], xf[:, lo:hi], spread)
                    mul(xf[:, lo:hi], xf[:, lo:hi], weight[0:1, lo:hi])

                cast(y_out[slot], xf, round_mode=RoundMode.TO_EVEN, count=live)
                y[row0:row0 + rows, 0:D] <<= y_out[slot][0:rows, 0:D]
                slot += 1
    return y


if __name__ == "__main__":
    eps = 1e-6

    M, D = 300, 256
    x = torch.randn(M, D).half()
    w = torch.rand(D)
    y = torch.zeros(M, D).half()
    OpExec(rms_norm, "", simulator=True)(x, w, y, M, D, 1.0 / D, eps)

    M, D = 65, 96
    x = torch.randn(M, D).half()
    w = torch.rand(D)
    y = torch.zeros(M, D).half()
    OpExec(rms_norm, "", simulator=True)(x, w, y, M, D, 1.0 / D, eps)
