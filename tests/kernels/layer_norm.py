"""Row layer normalisation with an affine output.

    mean = x.mean(1, keepdims=True);  c = x - mean          (float32)
    y    = (c / np.sqrt((c * c).mean(1, keepdims=True) + eps) * gamma + beta).astype(np.float16)

Shapes   x half [M, 128], gamma half [1, 128], beta half [1, 128], y half [M, 128]
Tiling   a core takes consecutive tiles of 128 rows; each of its two vec lanes
         owns 64 of them. Tiles are always full size in UB, only the GM side of
         a load or a store is clipped at M.

UB per lane, in bytes
    x_in       2 x [64,128] half     32768
    y_out      2 x [64,128] half     32768
    gamma/beta     [1,128] half x2     512
    gamma/beta     [1,128] float x2   1024
    xf             [64,128] float    32768
    fold           [64,64]  float    16384
    row scalars  4 x [1,64] float     1024
    spread         [64,8]   float     2048
    total                           119296  (of 196608)
"""
import torch

from easyasc.a2 import *

D = 128
HALF_D = D // 2                 # 64 float lanes: one repeat
TILE_M = 128
HALF_M = TILE_M // 2            # rows of one vec lane
INV_D = 1.0 / D
BLK = 8                         # float lanes in a 32-byte block


@func()
def row_sum(dst, wide, fold):
    # A row of 128 floats spans two repeats, and cadd gives one number per
    # repeat. Folding the halves first leaves exactly one repeat per row.
    add(fold, wide[:, 0:HALF_D], wide[:, HALF_D:D])
    cadd(dst, fold)


@func()
def spread_rows(dst, scalars):
    # One scalar per row -> one 32-byte block per row, 8 rows per repeat.
    brcb(dst, scalars, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF_M // 8)


@kernel()
def layer_norm(x: GMTensor, gamma: GMTensor, beta: GMTensor, y: GMTensor, M: Var, eps: Var):
    x_in = DBuff(DT.half, [HALF_M, D], Position.UB)
    y_out = DBuff(DT.half, [HALF_M, D], Position.UB)
    gamma_h = Tensor(DT.half, [1, D], Position.UB)
    beta_h = Tensor(DT.half, [1, D], Position.UB)
    gamma_f = Tensor(DT.float, [1, D], Position.UB)
    beta_f = Tensor(DT.float, [1, D], Position.UB)
    xf = Tensor(DT.float, [HALF_M, D], Position.UB)
    fold = Tensor(DT.float, [HALF_M, HALF_D], Position.UB)
    mean = Tensor(DT.float, [1, HALF_M], Position.UB)
    std = Tensor(DT.float, [1, HALF_M], Position.UB)
    inv_std = Tensor(DT.float, [1, HALF_M], Position.UB)
    ones = Tensor(DT.float, [1, HALF_M], Position.UB)
    spread = Tensor(DT.float, [HALF_M, BLK], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    per_core = CeilDiv(tiles, GetCubeNum())
    tile_begin = Var(per_core * GetCubeIdx())
    tile_end = Min(tile_begin + per_core, tiles)
    slot = Var(0)

    with auto_sync():
        # The affine row is loaded and widened once. The strides are spelled
        # out: half is the narrow side of the cast and advances 4 blocks.
        gamma_h <<= gamma[0:1, 0:D]
        beta_h <<= beta[0:1, 0:D]
        cast(gamma_f, gamma_h, dst_rep_stride=8, src_rep_stride=4)
        cast(beta_f, beta_h, dst_rep_stride=8, src_rep_stride=4)
        dup(ones, 1.0)

        for tile in range(tile_begin, tile_end):
            # Clamped to M, so a lane without rows moves nothing at all.
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)

            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
            cast(xf, x_in[slot])

            row_sum(mean, xf, fold)
            muls(mean, mean, INV_D)
            spread_rows(spread, mean)
            # Broadcast operands step one block per row, which fits a row of
            # one repeat: hence two column slices of 64.
            sub(xf[:, 0:HALF_D], xf[:, 0:HALF_D], spread)
            sub(xf[:, HALF_D:D], xf[:, HALF_D:D], spread)

            mul(fold, xf[:, 0:HALF_D], xf[:, 0:HALF_D])
            muladddst(fold, xf[:, HALF_D:D], xf[:, HALF_D:D])
            cadd(std, fold)
            muls(std, std, INV_D)
            adds(std, std, eps)
            sqrt(std, std)
            div(inv_std, ones, std)
            spread_rows(spread, inv_std)

            for lo in (0, HALF_D):
                hi = lo + HALF_D
                mul(xf[:, lo:hi], xf[:, lo:hi], spread)
                mul(xf[:, lo:hi], xf[:, lo:hi], gamma_f[0:1, lo:hi])
                add(xf[:, lo:hi], xf[:, lo:hi], beta_f[0:1, lo:hi])

            cast(y_out[slot], xf, round_mode=RoundMode.TO_EVEN)
            y[row0:row0 + rows, 0:D] <<= y_out[slot][0:rows, 0:D]
            slot += 1
    return y


if __name__ == "__main__":
    for M in [0, 1, 65, 128, 300]:
        x = torch.randn(M, D).half()
        gamma = torch.randn(1, D).half()
        beta = torch.randn(1, D).half()
        y = torch.zeros(M, D).half()
        OpExec(layer_norm, "", simulator=True)(x, gamma, beta, y, M, 1e-5)
