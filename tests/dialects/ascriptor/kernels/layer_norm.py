"""Layer normalisation of f16 rows of 192, two vec lanes per core, with an affine output.

    c = xf - xf.mean(axis=1, keepdims=True)
    y = c / np.sqrt((c * c).mean(axis=1, keepdims=True) + eps) * gamma + beta

    x, y  f16  [M, 192];   gamma, beta  f16  [192]       any M
"""
import ascriptor.a3 as asc
from ascriptor.a3 import GM, DT, Position

D = 192
PARTS = (0, 64, 128)
LANES = 64
ROWS = 64
INV_D = 1.0 / D


@asc.func
def row_sum(dst, folded, wide):
    asc.add(folded, wide[:, 0:LANES], wide[:, LANES:2 * LANES])
    asc.add(folded, folded, wide[:, 2 * LANES:D])
    asc.cadd(dst, folded)


@asc.func
def spread_rows(wide, values):
    asc.brcb(wide, values, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)


@asc.kernel()
def layer_norm(
    x: GM[DT.half, ("M", D)],
    gamma: GM[DT.half, D],
    beta: GM[DT.half, D],
    y: GM[DT.half, ("M", D)],
    M: asc.Var,
    eps: DT.float,
):
    x_in = asc.DBuff(DT.half, [ROWS, D], Position.UB)
    y_out = asc.DBuff(DT.half, [ROWS, D], Position.UB)
    gamma_in = asc.Tensor(DT.half, [1, D], Position.UB)
    beta_in = asc.Tensor(DT.half, [1, D], Position.UB)
    gamma_f = asc.Tensor(DT.float, [1, D], Position.UB)
    beta_f = asc.Tensor(DT.float, [1, D], Position.UB)
    xf = asc.Tensor(DT.float, [ROWS, D], Position.UB)
    folded = asc.Tensor(DT.float, [ROWS, LANES], Position.UB)
    row = asc.Tensor(DT.float, [1, ROWS], Position.UB)
    ones = asc.Tensor(DT.float, [1, ROWS], Position.UB)
    wide = asc.Tensor(DT.float, [ROWS, 8], Position.UB)
    beat = asc.Var(0)

    with asc.auto_sync():
        gamma_in <<= gamma[0:D]
        beta_in <<= beta[0:D]
        asc.cast(gamma_f, gamma_in)
        asc.cast(beta_f, beta_in)
        asc.dup(ones, 1.0)

    # A core has two lanes; each takes one half of the tile of its core.
    for tile in range(asc.GetCubeIdx(), asc.CeilDiv(M, 2 * ROWS), asc.GetCubeNum()):
        row0 = asc.Min(tile * 2 * ROWS + asc.GetSubBlockIdx() * ROWS, M)
        rows = asc.Min(ROWS, M - row0)
        if rows > 0:
            with asc.auto_sync():
                x_in[beat, 0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
                asc.cast(xf, x_in[beat])
                row_sum(row, folded, xf)
                asc.muls(row, row, INV_D)
                spread_rows(wide, row)
                for lo in PARTS:
                    asc.sub(xf[:, lo:lo + LANES], xf[:, lo:lo + LANES], wide)
                asc.mul(folded, xf[:, 0:LANES], xf[:, 0:LANES])
                for lo in PARTS[1:]:
                    asc.muladddst(folded, xf[:, lo:lo + LANES], xf[:, lo:lo + LANES])
                asc.cadd(row, folded)
                asc.muls(row, row, INV_D)
                asc.adds(row, row, eps)
                asc.sqrt(row, row)
                asc.div(row, ones, row)
                spread_rows(wide, row)
                for lo in PARTS:
                    asc.mul(xf[:, lo:lo + LANES], xf[:, lo:lo + LANES], wide)
                    asc.mul(xf[:, lo:lo + LANES], xf[:, lo:lo + LANES], gamma_f[:, lo:lo + LANES])
                    asc.add(xf[:, lo:lo + LANES], xf[:, lo:lo + LANES], beta_f[:, lo:lo + LANES])
                asc.cast(y_out[beat], xf, round_mode=asc.RoundMode.TO_EVEN)
                y[row0:row0 + rows, 0:D] <<= y_out[beat, 0:rows, 0:D]
                beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    eps = 1e-5
    for M in [1, 64, 65, 127, 300]:
        x = torch.randn(M, D).half()
        gamma = torch.randn(D).half()
        beta = torch.randn(D).half()
        y = torch.zeros(M, D).half()
        OpExec(layer_norm, launcher="pipesim", block_dim=2)(x, gamma, beta, y, M, eps)
