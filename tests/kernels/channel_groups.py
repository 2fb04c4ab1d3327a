"""Statistics of groups of channels, one vector mask per group.

group_scales   scale_g = np.abs(x[:, g]).max(1) * (1 / 127), g = 0..16, 16..32, 32..48, 48..64
    x float [M, 64], scale0 .. scale3 float [M]
group_means    mean_g = x[:, g].sum(1) * (1 / width of g), g = 0..40, 40..64, 64..100, 100..128
    x float [M, 128], mean0 .. mean3 float [M]; each half of a row is one repeat,
    and the mask counts lanes from its own first column.

Masks    the reduction alone runs under the mask of a group. What follows concerns
         all 64 row results and needs every lane: the mask is reset first.
Tiling   64 rows per vec lane, lanes take row tiles round robin.
"""
import torch

from easyasc.a2 import *

ROWS = 64
D = 64
GROUP = 16
FIRST = (1 << GROUP) - 1
SECOND = FIRST << GROUP
THIRD = SECOND << GROUP
FOURTH = THIRD << GROUP
INV_Q = 1.0 / 127.0

WIDE_D = 128
LEFT_SPLIT = 40
RIGHT_SPLIT = 36
LEFT_HEAD = (1 << LEFT_SPLIT) - 1
LEFT_REST = 0xFFFFFFFFFFFFFFFF - LEFT_HEAD
RIGHT_HEAD = (1 << RIGHT_SPLIT) - 1
RIGHT_REST = 0xFFFFFFFFFFFFFFFF - RIGHT_HEAD


# a2lint: launch(M=65)
@kernel()
def group_scales(
    x: GMTensor,
    scale0: GMTensor,
    scale1: GMTensor,
    scale2: GMTensor,
    scale3: GMTensor,
    M: Var,
):
    x_in = DBuff(DT.float, [ROWS, D], Position.UB)
    magnitude = Tensor(DT.float, [ROWS, D], Position.UB)
    peak = Tensor(DT.float, [1, ROWS], Position.UB)
    out0 = DBuff(DT.float, [1, ROWS], Position.UB)
    out1 = DBuff(DT.float, [1, ROWS], Position.UB)
    out2 = DBuff(DT.float, [1, ROWS], Position.UB)
    out3 = DBuff(DT.float, [1, ROWS], Position.UB)

    tiles = CeilDiv(M, ROWS)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(tile * ROWS)
            rows = Min(ROWS, M - row0)
            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
            abs(magnitude, x_in[slot])

            set_mask(0, FIRST)
            cmax(peak, magnitude)
            reset_mask()
            muls(out0[slot], peak, INV_Q)

            set_mask(0, SECOND)
            cmax(peak, magnitude)
            reset_mask()
            muls(out1[slot], peak, INV_Q)

            set_mask(0, THIRD)
            cmax(peak, magnitude)
            reset_mask()
            muls(out2[slot], peak, INV_Q)

            set_mask(0, FOURTH)
            cmax(peak, magnitude)
            reset_mask()
            muls(out3[slot], peak, INV_Q)

            scale0[row0:row0 + rows] <<= out0[slot][0:1, 0:rows]
            scale1[row0:row0 + rows] <<= out1[slot][0:1, 0:rows]
            scale2[row0:row0 + rows] <<= out2[slot][0:1, 0:rows]
            scale3[row0:row0 + rows] <<= out3[slot][0:1, 0:rows]
            slot += 1
    return scale0, scale1, scale2, scale3


# a2lint: launch(M=65)
@kernel()
def group_means(
    x: GMTensor,
    mean0: GMTensor,
    mean1: GMTensor,
    mean2: GMTensor,
    mean3: GMTensor,
    M: Var,
):
    x_in = DBuff(DT.float, [ROWS, WIDE_D], Position.UB)
    total = Tensor(DT.float, [1, ROWS], Position.UB)
    out0 = DBuff(DT.float, [1, ROWS], Position.UB)
    out1 = DBuff(DT.float, [1, ROWS], Position.UB)
    out2 = DBuff(DT.float, [1, ROWS], Position.UB)
    out3 = DBuff(DT.float, [1, ROWS], Position.UB)

    tiles = CeilDiv(M, ROWS)
    slot = Var(0)

    with auto_sync():
        for tile in range(GetVecIdx(), tiles, GetVecNum()):
            row0 = Var(tile * ROWS)
            rows = Min(ROWS, M - row0)
            x_in[slot][0:rows, 0:WIDE_D] <<= x[row0:row0 + rows, 0:WIDE_D]

            set_mask(0, LEFT_HEAD)
            cadd(total, x_in[slot][:, 0:D])
            reset_mask()
            muls(out0[slot], total, 1.0 / LEFT_SPLIT)

            set_mask(0, LEFT_REST)
            cadd(total, x_in[slot][:, 0:D])
            reset_mask()
            muls(out1[slot], total, 1.0 / (D - LEFT_SPLIT))

            set_mask(0, RIGHT_HEAD)
            cadd(total, x_in[slot][:, D:WIDE_D])
            reset_mask()
            muls(out2[slot], total, 1.0 / RIGHT_SPLIT)

            set_mask(0, RIGHT_REST)
            cadd(total, x_in[slot][:, D:WIDE_D])
            reset_mask()
            muls(out3[slot], total, 1.0 / (D - RIGHT_SPLIT))

            mean0[row0:row0 + rows] <<= out0[slot][0:1, 0:rows]
            mean1[row0:row0 + rows] <<= out1[slot][0:1, 0:rows]
            mean2[row0:row0 + rows] <<= out2[slot][0:1, 0:rows]
            mean3[row0:row0 + rows] <<= out3[slot][0:1, 0:rows]
            slot += 1
    return mean0, mean1, mean2, mean3


if __name__ == "__main__":
    for M in [1, 64, 300]:
        a = torch.zeros(M)
        b = torch.zeros(M)
        c = torch.zeros(M)
        d = torch.zeros(M)
        x = torch.randn(M, D)
        OpExec(group_scales, "", simulator=True)(x, a, b, c, d, M)
        wide = torch.randn(M, WIDE_D)
        OpExec(group_means, "", simulator=True)(wide, a, b, c, d, M)
