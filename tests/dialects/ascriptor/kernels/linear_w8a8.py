"""Linear layer on int8 activations and weights, dequantised on the vector unit.

    y = ((xq.astype(i32) @ wq.astype(i32).T) * sx[:, None] * sw[None, :]).astype(f16)

    xq  i8  [M, K];   wq  i8  [N, K];   sx  f32  [M];   sw  f32  [N];   y  f16  [M, N]
    any M, N, K >= 1

    cube  i32 accumulator of 128 x 128     -> products (FIX), mutex 0
    vec   64 rows for each sub-block       -> y
"""
from ascriptor.a2 import *

TILE = 128
HALF = TILE // 2
LANES = 64
CHUNK_K = 256                 # 128 x 256 bytes fill one half of L0A


@kernel()
def linear_w8a8(
    xq: GM[i8, ("M", "K")],
    wq: GM[i8, ("N", "K")],
    sx: GM[f32, "M"],
    sw: GM[f32, "N"],
    y: GM[f16, ("M", "N")],
):
    l1_x = DBuff(i8, [TILE, CHUNK_K], Position.L1)
    l1_w = DBuff(i8, [TILE, CHUNK_K], Position.L1)
    l0c = DBuff(i32, [TILE, TILE], Position.L0C)
    products = GMBuff(i32, [TILE, TILE], 2)
    full = CvMutex(0, guards=l0c)

    acc = DBuff(i32, [HALF, TILE], Position.UB)
    sx_in = DBuff(f32, [1, HALF], Position.UB)
    sw_in = DBuff(f32, [1, TILE], Position.UB)
    y_out = DBuff(f16, [HALF, TILE], Position.UB)
    acc_f = Tensor(f32, [HALF, TILE], Position.UB)
    sx8 = Tensor(f32, [HALF, 8], Position.UB)

    half_row = GetSubBlockIdx() * HALF
    tiles_n = CeilDiv(N, TILE)
    chunk = Var(0)
    beat = Var(0)

    with auto_sync():
        for unit in range(GetCubeIdx(), CeilDiv(M, TILE) * tiles_n, GetCubeNum()):
            m0 = unit // tiles_n * TILE
            n0 = unit % tiles_n * TILE
            valid_m = Min(TILE, M - m0)
            valid_n = Min(TILE, N - n0)
            for k0 in range(0, K, CHUNK_K):
                valid_k = Min(CHUNK_K, K - k0)
                l1_x[chunk] <<= xq[m0:m0 + valid_m, k0:k0 + valid_k]
                l1_w[chunk] <<= wq[n0:n0 + valid_n, k0:k0 + valid_k]
                a, b = l1_x[chunk], l1_w[chunk]
                if k0 == 0:
                    matmul(l0c[beat], a, b, m=TILE, n=TILE, k=valid_k)
                else:
                    matmul(l0c[beat], a, b, m=TILE, n=TILE, k=valid_k, is_init=False)
                chunk += 1
            full.lock()
            products[beat] <<= l0c[beat]
            full.ready()

            row0 = Min(m0 + half_row, M)
            rows = Min(HALF, M - row0)
            sx_in[beat][0:1, 0:rows] <<= sx[row0:row0 + rows]
            sw_in[beat][0:1, 0:valid_n] <<= sw[n0:n0 + valid_n]
            full.wait()
            acc[beat] <<= products[beat][half_row:half_row + HALF, 0:TILE]
            full.free()
            cast(acc_f, acc[beat], round_mode=RoundMode.TO_EVEN)
            if rows > 0:
                brcb(sx8, sx_in[beat], dst_blk_stride=1, dst_rep_stride=8, repeat=HALF // 8)
                for lo in (0, LANES):
                    if lo < valid_n:
                        part = acc_f[:, lo:lo + LANES]
                        mul(part, part, sx8)
                        mul(part, part, sw_in[beat, :, lo:lo + LANES])
                cast(y_out[beat], acc_f, round_mode=RoundMode.TO_EVEN)
                y[row0:row0 + rows, n0:n0 + valid_n] <<= y_out[beat][0:rows, 0:valid_n]
            beat += 1
    return y


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec

    for M, N, K in [(128, 128, 512), (65, 127, 577), (1, 63, 64), (257, 130, 33)]:
        xq = torch.randint(-128, 128, (M, K), dtype=torch.int8)
        wq = torch.randint(-128, 128, (N, K), dtype=torch.int8)
        sx, sw = torch.full((M,), 0.01), torch.full((N,), 0.01)
        y = torch.empty(M, N, dtype=torch.float16)
        OpExec(linear_w8a8, launcher="sim", block_dim=20)(xq, wq, sx, sw, y)
