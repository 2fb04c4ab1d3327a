"""Mean over the heads of every batch, on tensors whose first extents are products.

    y = x.reshape(B, H, S, 64).mean(axis=1).reshape(B * S, 64)

    x  f32  [B*H, S, 64];   y  f32  [B*S, 64]       any B, H, S >= 1

B is a scalar of the launch; H follows from the first extent of `x`. One head of one batch is a
window of x that a view cuts out.
"""
from ascriptor.a2 import *

D = 64
ROWS = 64


@kernel(mode="vec")
def head_mean(x: GM[f32, ("B*H", "S", D)], y: GM[f32, ("B*S", D)], B: i32):
    tile = DBuff(f32, [ROWS, D], Position.UB)
    mean = DBuff(f32, [ROWS, D], Position.UB)
    planes = y.reshape(B, S, D)
    tiles = CeilDiv(S, ROWS)
    beat = Var(0)
    done = Var(0)

    with auto_sync():
        for unit in range(GetVecIdx(), B * tiles, GetVecNum()):
            batch = unit // tiles
            s0 = unit % tiles * ROWS
            rows = Min(ROWS, S - s0)
            dup(mean[done], 0.0)
            for head in range(H):
                window = x.view((S, D), offset=(batch * H + head) * S * D)
                tile[beat][0:rows, :] <<= window[s0:s0 + rows, 0:D]
                add(mean[done], mean[done], tile[beat])
                beat += 1
            muls(mean[done], mean[done], 1.0 / (H * 1.0))
            planes[batch, s0:s0 + rows, 0:D] <<= mean[done][0:rows, :]
            done += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for B, H, S in [(1, 1, 1), (2, 3, 65), (5, 2, 128)]:
        x = torch.randn(B * H, S, D)
        y = torch.empty(B * S, D)
        OpExec(head_mean, launcher="sim", block_dim=4)(x, y, B)
