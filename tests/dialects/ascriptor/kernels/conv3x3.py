"""A 3 x 3 convolution of a channels-last image with bias and relu, as nine products.

    y[i, j] = relu(bias + sum over (dy, dx) of x[i + dy, j + dx] @ wt[3 * dy + dx].T)

    x     f16  [H, W, 32];   wt  f16  [9, 64, 32];   bias  f32  [1, 64]
    y     f16  [HO, WO, 64]      HO = H - 2, WO = W - 2, no padding, H, W >= 3

The weights stay in L1. A tile is up to 64 columns of one output row; each tap loads its window
of the input row and adds its product to the accumulator.
"""
from ascriptor.a2 import *

CIN = 32
COUT = 64
TILE = 64
DY = (0, 0, 0, 1, 1, 1, 2, 2, 2)
DX = (0, 1, 2, 0, 1, 2, 0, 1, 2)


@kernel(mode="cube")
def conv3x3(
    x: GM[f16, ("H", "W", CIN)],
    wt: GM[f16, (9, COUT, CIN)],
    bias: GM[f32, (1, COUT)],
    y: GM[f16, ("HO", "WO", COUT)],
):
    l1_w = [Tensor(f16, [COUT, CIN], Position.L1) for _ in DX]
    l1_bias = Tensor(f32, [1, COUT], Position.L1, layout=Layout.ND)
    l1_x = TBuff(f16, [TILE, CIN], Position.L1)
    l0c = DBuff(f32, [TILE, COUT], Position.L0C)
    tiles = CeilDiv(WO, TILE)
    window = Var(0)
    beat = Var(0)

    with auto_sync():
        l1_bias <<= bias
        for tap, weight in enumerate(l1_w):
            weight <<= wt[tap, 0:COUT, 0:CIN]
        for unit in range(GetCubeIdx(), HO * tiles, GetCubeNum()):
            row = unit // tiles
            col0 = unit % tiles * TILE
            valid = Min(TILE, WO - col0)
            for dy, dx, weight in zip(DY, DX, l1_w):
                l1_x[window] <<= x[row + dy, col0 + dx:col0 + dx + valid, 0:CIN]
                if dy == 0 and dx == 0:
                    matmul(l0c[beat], l1_x[window], weight, m=TILE, n=COUT, k=CIN, bias=l1_bias)
                else:
                    matmul(l0c[beat], l1_x[window], weight, m=TILE, n=COUT, k=CIN, is_init=False)
                window += 1
            y[row, col0:col0 + valid, 0:COUT] <<= l0c[beat][0:valid, 0:COUT].relu()
            beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for H, W in [(3, 3), (5, 66), (4, 67), (9, 40)]:
        x = torch.randn(H, W, CIN).half()
        wt = torch.randn(9, COUT, CIN).half()
        bias = torch.randn(1, COUT)
        y = torch.empty(H - 2, W - 2, COUT).half()
        OpExec(conv3x3, launcher="sim", block_dim=4)(x, wt, bias, y)
