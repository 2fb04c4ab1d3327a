"""Top-8 routing of tokens to 64 experts: the best experts in order and their softmax weights.

    order   = np.argsort(-logits, axis=1, kind="stable")[:, :8]
    best    = np.take_along_axis(logits, order, 1)
    weights = softmax(best);   experts = order
    (among equal logits the order of the experts is not promised)

    logits  f32  [M, 64];   weights  f32  [M, 8];   experts  i32  [M, 8]       any M

Records of a sort are pairs (value, expert) of 8 bytes. The best eight of 16 tokens lie one after
the other, so value i of the tile is at byte 8 * i of them and its expert 4 bytes later.
"""
from ascriptor.a2 import *

EXPERTS = 64
TOP = 8
ROWS = 16
TILE = ROWS * TOP
BITS = (
    0xAAAAAAAAAAAAAAAA,
    0xCCCCCCCCCCCCCCCC,
    0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000,
    0xFFFFFFFF00000000,
)


@kernel(mode="vec")
def router(
    logits: GM[f32, ("M", EXPERTS)],
    weights: GM[f32, ("M", TOP)],
    experts: GM[i32, ("M", TOP)],
):
    tile_in = DBuff(f32, [ROWS, EXPERTS], Position.UB)
    weights_out = DBuff(f32, [1, TILE], Position.UB)
    experts_out = DBuff(i32, [1, TILE], Position.UB)
    number = Tensor(i32, [1, TILE], Position.UB)
    offset = Tensor(i32, [1, TILE], Position.UB)
    runs = Tensor(f32, [1, 2 * EXPERTS], Position.UB)
    merged = Tensor(f32, [1, 2 * EXPERTS], Position.UB)
    best = Tensor(f32, [ROWS, 2 * TOP], Position.UB)
    group = Tensor(f32, [1, 64], Position.UB)
    wide = Tensor(f32, [1, TILE], Position.UB)
    flat_weights = weights.reshape([M * TOP])
    flat_experts = experts.reshape([M * TOP])
    beat = Var(0)

    dup(number, 0)
    for bit, lanes in enumerate(BITS):
        set_mask(0, lanes)
        adds(number[:, 0:64], number[:, 0:64], 1 << bit)
    reset_mask()
    adds(number[:, 64:TILE], number[:, 0:64], 64)
    muls(offset, number, 8)
    ids = number[:, 0:EXPERTS].reinterpret(u32)

    for tile in range(GetVecIdx(), CeilDiv(M, ROWS), GetVecNum()):
        with auto_sync():
            lo = tile * ROWS
            rows = Min(ROWS, M - lo)
            tile_in[beat][0:rows, :] <<= logits[lo:lo + rows, 0:EXPERTS]
            for r in range(rows):
                sort32(runs, tile_in[beat][r:r + 1, :], ids, EXPERTS // 32)
                mergesort_2seq(merged, runs[:, 0:EXPERTS], runs[:, EXPERTS:2 * EXPERTS], 32, 32)
                best[r:r + 1, :] <<= merged[:, 0:2 * TOP]
            gather(weights_out[beat], best, offset.reinterpret(u32))
            gather(experts_out[beat], best.reinterpret(i32), offset.reinterpret(u32), 4)

            # Eight weights are one block, so the group instructions reduce one token each.
            cgmax(group, weights_out[beat])
            brcb(wide, group, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            sub(weights_out[beat], weights_out[beat], wide)
            exp(weights_out[beat], weights_out[beat])
            cgadd(group, weights_out[beat])
            brcb(wide, group, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            div(weights_out[beat], weights_out[beat], wide)

            flat_weights[lo * TOP:(lo + rows) * TOP] <<= weights_out[beat][:, 0:rows * TOP]
            flat_experts[lo * TOP:(lo + rows) * TOP] <<= experts_out[beat][:, 0:rows * TOP]
            beat += 1
    return weights, experts


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for M in [1, 15, 16, 100, 777]:
        logits = torch.randn(M, EXPERTS)
        weights = torch.empty(M, TOP)
        experts = torch.empty(M, TOP, dtype=torch.int32)
        OpExec(router, launcher="sim")(logits, weights, experts)
