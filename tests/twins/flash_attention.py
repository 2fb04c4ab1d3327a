"""Flash attention as `kernels/flash_attention.cpp` has it: the same tiles, the same steps, the same order.

    q, k, v  half   [heads, length, 64]
    y        float  [heads, length, 64]      length is a multiple of 64
"""
from easyasc.a2 import *

TILE = 64
HALF = TILE // 2
DEPTH = 64
BLOCK = 8
LANES = 64                    # row values use the first HALF of a repeat
LOWEST = -1.0e30


@func()
def spread(wide, rows):
    """[64, 1] row values -> [32, 8], each value filling one block."""
    brcb(wide, rows, dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)


@kernel()
def flash_attention(
    q: GMTensor,
    k: GMTensor,
    v: GMTensor,
    y: GMTensor,
    heads: Var,
    length: Var,
    scale: Var,
):
    l1_q = DBuff(DT.half, [TILE, DEPTH], Position.L1)
    l1_k = DBuff(DT.half, [TILE, DEPTH], Position.L1)
    l1_v = DBuff(DT.half, [TILE, DEPTH], Position.L1)
    l1_p = DBuff(DT.half, [TILE, TILE], Position.L1)
    l0c_s = DBuff(DT.float, [TILE, TILE], Position.L0C)
    l0c_o = DBuff(DT.float, [TILE, DEPTH], Position.L0C)

    ub_s = DBuff(DT.float, [HALF, TILE], Position.UB)
    ub_o = DBuff(DT.float, [HALF, DEPTH], Position.UB)
    ub_p = DBuff(DT.half, [HALF, TILE], Position.UB)
    ub_out = DBuff(DT.float, [HALF, DEPTH], Position.UB)
    acc = Tensor(DT.float, [HALF, DEPTH], Position.UB)
    wide = Tensor(DT.float, [HALF, BLOCK], Position.UB)

    most = Tensor(DT.float, [LANES, 1], Position.UB)
    total = Tensor(DT.float, [LANES, 1], Position.UB)
    following = Tensor(DT.float, [LANES, 1], Position.UB)
    shrink = Tensor(DT.float, [LANES, 1], Position.UB)
    part = Tensor(DT.float, [LANES, 1], Position.UB)

    ws_s = split_workspace(DT.float, [GetCubeNum(), 2, TILE, TILE])
    ws_p = split_workspace(DT.half, [GetCubeNum(), 2, TILE, TILE])
    ws_o = split_workspace(DT.float, [GetCubeNum(), 2, TILE, DEPTH])
    scores = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    weights = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.MTE2)
    results = CvMutex(2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)

    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * HALF)
    tiles = length // TILE
    count = Var(0)
    units = Var(0)

    with auto_sync():
        for unit in range(core, heads * tiles, GetCubeNum()):
            head = Var(unit // tiles)
            row = Var((unit - head * tiles) * TILE)
            l1_q[units] <<= q[head, row:row + TILE, 0:DEPTH]
            dup(most, LOWEST)
            dup(total, 0.0)
            dup(acc, 0.0)
            for tile in range(0, tiles):
                key = Var(tile * TILE)
                slot = Var(var_mod(count, 2))

                l1_k[count] <<= k[head, key:key + TILE, 0:DEPTH]
                matmul(l0c_s[count], l1_q[units], l1_k[count], m=TILE, n=TILE, k=DEPTH)
                scores.lock()
                ws_s[core, slot, 0:TILE, 0:TILE] <<= l0c_s[count]
                scores.ready()

                scores.wait()
                ub_s[count] <<= ws_s[core, slot, half_row:half_row + HALF, 0:TILE]
                scores.free()
                muls(ub_s[count], ub_s[count], scale)
                cmax(part, ub_s[count])
                vmax(following, most, part)
                spread(wide, following)
                sub(ub_s[count], ub_s[count], wide)
                exp(ub_s[count], ub_s[count])
                sub(shrink, most, following)
                exp(shrink, shrink)
                cadd(part, ub_s[count])
                mul(total, total, shrink)
                add(total, total, part)
                adds(most, following, 0.0)
                cast(ub_p[count], ub_s[count], round_mode=RoundMode.TO_EVEN)
                weights.lock()
                ws_p[core, slot, half_row:half_row + HALF, 0:TILE] <<= ub_p[count]
                weights.ready()

                l1_v[count] <<= v[head, key:key + TILE, 0:DEPTH]
                weights.wait()
                l1_p[count] <<= ws_p[core, slot, 0:TILE, 0:TILE]
                weights.free()
                matmul(l0c_o[count], l1_p[count], l1_v[count].T, m=TILE, n=DEPTH, k=TILE)
                results.lock()
                ws_o[core, slot, 0:TILE, 0:DEPTH] <<= l0c_o[count]
                results.ready()

                results.wait()
                ub_o[count] <<= ws_o[core, slot, half_row:half_row + HALF, 0:DEPTH]
                results.free()
                spread(wide, shrink)
                mul(acc, acc, wide)
                add(acc, acc, ub_o[count])
                count += 1
            spread(wide, total)
            div(ub_out[units], acc, wide)
            y[head, row + half_row:row + half_row + HALF, 0:DEPTH] <<= ub_out[units]
            units += 1
    return y


if __name__ == "__main__":
    import torch

    for heads, length in [(3, 128), (1, 64), (2, 192)]:
        q = torch.randn(heads, length, DEPTH).half()
        k = torch.randn(heads, length, DEPTH).half()
        v = torch.randn(heads, length, DEPTH).half()
        y = torch.zeros(heads, length, DEPTH)
        OpExec(flash_attention, "", simulator=True)(q, k, v, y, heads, length, 0.125)
