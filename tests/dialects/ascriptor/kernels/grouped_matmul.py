"""One product for each expert, on as many tokens as it was given.

    ys[e] = xs[e].astype(f32) @ w[e].astype(f32).T

    xs  three of f16  [?, 128];   w  f16  [3, 64, 128];   ys  three of f32  [?, 64]
"""
from ascriptor.a2 import *

TILE = 64
D = 128
DOUT = 64
EXPERTS = 3


@kernel(mode="cube", block_dim=4)
def grouped_matmul(
    xs: GMList[f16, ("?", D), EXPERTS],
    w: GM[f16, (EXPERTS, DOUT, D)],
    ys: GMList[f32, ("?", DOUT), EXPERTS],
):
    l1_x = DBuff(f16, [TILE, D], Position.L1)
    l1_w = DBuff(f16, [DOUT, D], Position.L1)
    l0c = DBuff(f32, [TILE, DOUT], Position.L0C)
    beat = Var(0)

    for e in unroll(EXPERTS):
        x = xs[e]
        y = ys[e]
        tokens = x.shape[0]
        with auto_sync():
            for tile in range(GetCubeIdx(), CeilDiv(tokens, TILE), GetCubeNum()):
                lo = tile * TILE
                rows = Min(TILE, tokens - lo)
                l1_w[beat] <<= w[e, 0:DOUT, 0:D]
                l1_x[beat] <<= x[lo:lo + rows, 0:D]
                matmul(l0c[beat], l1_x[beat], l1_w[beat], m=TILE, n=DOUT, k=D)
                y[lo:lo + rows, 0:DOUT] <<= l0c[beat][0:rows, 0:DOUT]
                beat += 1
    return ys


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    sizes = [64, 1, 130]
    xs = [torch.randn(n, D).half() for n in sizes]
    ys = [torch.empty(n, DOUT) for n in sizes]
    w = torch.randn(EXPERTS, DOUT, D).half()
    OpExec(grouped_matmul, launcher="sim")(xs, w, ys)
