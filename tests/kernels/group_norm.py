"""Normalisation of two groups of channels per row, and the backward pass of softmax.

group_norm         for each half g of 64 channels:
                   y[:, g] = (x[:, g] - mean(x[:, g])) / sqrt(var(x[:, g]) + eps)
softmax_backward   dx = y * (dy - (dy * y).sum(1, keepdims=True))

Shapes   x, y float [M, 128];  y, dy, dx float [M, 64]
Tiling   64 rows per vec lane, lanes take row tiles round robin.
Rows     a row scalar takes part in a row of 64 floats as one block of 32 bytes,
         read eight times with block stride 0: brcb lays the blocks out.

group_norm, UB per lane in bytes
    x_in       2 x [64,128] float    65536
    y_out      2 x [64,128] float    65536
    square         [64,64]  float    16384
    spread     4 x [64,8]   float     8192
    row scalars  5 x [64,1] float     1280
    total                           156928  (of 196608)
"""
import torch

from easyasc.a2 import *

ROWS = 64
GROUP = 64                       # channels of a group: one repeat of floats
D = 2 * GROUP
BLK = 8
INV_GROUP = 1.0 / GROUP


@kernel()
def group_norm(x: GMTensor, y: GMTensor, M: Var, eps: Var):
    x_in = DBuff(DT.float, [ROWS, D], Position.UB)
    y_out = DBuff(DT.float, [ROWS, D], Position.UB)
    square = Tensor(DT.float, [ROWS, GROUP], Position.UB)
    mean8_a = Tensor(DT.float, [ROWS, BLK], Position.UB)
    mean8_b = Tensor(DT.float, [ROWS, BLK], Position.UB)
    inv8_a = Tensor(DT.float, [ROWS, BLK], Position.UB)
    inv8_b = Tensor(DT.float, [ROWS, BLK], Position.UB)
    mean = Tensor(DT.float, [ROWS, 1], Position.UB)
    deviation = Tensor(DT.float, [ROWS, 1], Position.UB)
    inverse = Tensor(DT.float, [ROWS, 1], Position.UB)
    one = Tensor(DT.float, [ROWS, 1], Position.UB)

    tiles = CeilDiv(M, ROWS)
    slot = Var(0)

    with auto_sync():
        dup(one, 1.0)
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(tile * ROWS)
            rows = Min(ROWS, M - row0)
            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]

            cadd(mean, x_in[slot][:, 0:GROUP])
            muls(mean, mean, INV_GROUP)
            brcb(mean8_a, mean, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            sub(y_out[slot][:, 0:GROUP], x_in[slot][:, 0:GROUP], mean8_a)
            mul(square, y_out[slot][:, 0:GROUP], y_out[slot][:, 0:GROUP])
            cadd(deviation, square)
            muls(deviation, deviation, INV_GROUP)
            adds(deviation, deviation, eps)
            sqrt(deviation, deviation)
            div(inverse, one, deviation)
            brcb(inv8_a, inverse, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            mul(y_out[slot][:, 0:GROUP], y_out[slot][:, 0:GROUP], inv8_a)

            cadd(mean, x_in[slot][:, GROUP:D])
            muls(mean, mean, INV_GROUP)
            brcb(mean8_b, mean, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            sub(y_out[slot][:, GROUP:D], x_in[slot][:, GROUP:D], mean8_b)
            mul(square, y_out[slot][:, GROUP:D], y_out[slot][:, GROUP:D])
            cadd(deviation, square)
            muls(deviation, deviation, INV_GROUP)
            adds(deviation, deviation, eps)
            sqrt(deviation, deviation)
            div(inverse, one, deviation)
            brcb(inv8_b, inverse, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            mul(y_out[slot][:, GROUP:D], y_out[slot][:, GROUP:D], inv8_b)

            y[row0:row0 + rows, 0:D] <<= y_out[slot][0:rows, 0:D]
            slot += 1
    return y


@kernel()
def softmax_backward(y: GMTensor, dy: GMTensor, dx: GMTensor, M: Var):
    y_in = DBuff(DT.float, [ROWS, GROUP], Position.UB)
    dy_in = DBuff(DT.float, [ROWS, GROUP], Position.UB)
    dx_out = DBuff(DT.float, [ROWS, GROUP], Position.UB)
    product = Tensor(DT.float, [ROWS, GROUP], Position.UB)
    dot = Tensor(DT.float, [ROWS, 1], Position.UB)
    dot8 = Tensor(DT.float, [ROWS, BLK], Position.UB)

    tiles = CeilDiv(M, ROWS)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(tile * ROWS)
            rows = Min(ROWS, M - row0)
            y_in[slot][0:rows, 0:GROUP] <<= y[row0:row0 + rows, 0:GROUP]
            dy_in[slot][0:rows, 0:GROUP] <<= dy[row0:row0 + rows, 0:GROUP]
            mul(product, y_in[slot], dy_in[slot])
            cadd(dot, product)
            brcb(dot8, dot, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            sub(dx_out[slot], dy_in[slot], dot8)
            mul(dx_out[slot], dx_out[slot], y_in[slot])
            dx[row0:row0 + rows, 0:GROUP] <<= dx_out[slot][0:rows, 0:GROUP]
            slot += 1
    return dx


if __name__ == "__main__":
    for M in [1, 64, 300]:
        x = torch.randn(M, D)
        y = torch.zeros(M, D)
        OpExec(group_norm, "", simulator=True)(x, y, M, 1e-5)

        p = torch.rand(M, GROUP)
        g = torch.randn(M, GROUP)
        dx = torch.zeros(M, GROUP)
        OpExec(softmax_backward, "", simulator=True)(p, g, dx, M)
