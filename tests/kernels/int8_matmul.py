"""Integer matrix product, accumulated in int32.

    c = a.astype(np.int32) @ b.astype(np.int32).T

    a  int8   [M, K]
    b  int8   [N, K]
    c  int32  [M, N]          any M, N, K >= 1

Tiling: output tiles of 128 x 128, dealt round-robin.  K is walked in L1
chunks of 512 columns, which `splitk` cuts into mmads of 256.  A block holds
32 int8 values, so all widths but the very last are multiples of 32; the last
chunk passes its true width as k and never looks at what follows.

Memory per core, in bytes:
    L1   l1_a  2 x 128 x 512 = 131072
         l1_b  2 x 128 x 512 = 131072         262144 of 524288
    L0A  128 x 256 = 32768 per half           ( 65536 of  65536)
    L0B  128 x 256 = 32768 per half           ( 65536 of  65536)
    L0C  2 x 128 x 128 x 4   = 131072         (131072 of 131072)
"""
import easyasc.a2 as ea

TILE_M = 128
TILE_N = 128
BLOCK_K = 32                  # int8 values of one 32-byte block
STEP_K = 8 * BLOCK_K          # columns of one mmad
CHUNK_K = 2 * STEP_K          # columns of one L1 chunk


@ea.func()
def clip(start, limit, size):
    """Length of the tile that begins at start, cut off at the limit."""
    return ea.Min(size, limit - start)


@ea.kernel()
def int8_matmul(
    a: ea.GMTensor, b: ea.GMTensor, c: ea.GMTensor, M: ea.Var, N: ea.Var, K: ea.Var
):
    l1_a = ea.DBuff(ea.DT.int8, [TILE_M, CHUNK_K], ea.Position.L1)
    l1_b = ea.DBuff(ea.DT.int8, [TILE_N, CHUNK_K], ea.Position.L1)
    # Products of int8 accumulate in int32; a float tile would be illegal here.
    l0c = ea.DBuff(ea.DT.int, [TILE_M, TILE_N], ea.Position.L0C)

    tiles_m = ea.CeilDiv(M, TILE_M)
    tiles_n = ea.CeilDiv(N, TILE_N)
    tiles = ea.Var(tiles_m * tiles_n)

    chunk_count = ea.Var(0)   # L1 slots, once per chunk
    tile_count = ea.Var(0)    # L0C slots, once per tile

    with ea.auto_sync():
        for tile in ea.range(ea.GetCubeIdx(), tiles, ea.GetCubeNum()):
            tile_row = ea.Var(tile // tiles_n)
            m0 = ea.Var(tile_row * TILE_M)
            n0 = ea.Var((tile - tile_row * tiles_n) * TILE_N)
            valid_m = clip(m0, M, TILE_M)
            valid_n = clip(n0, N, TILE_N)

            for k0 in ea.range(0, K, CHUNK_K):
                valid_k = clip(k0, K, CHUNK_K)
                l1_a[chunk_count] <<= a[m0:m0 + valid_m, k0:k0 + valid_k]
                l1_b[chunk_count] <<= b[n0:n0 + valid_n, k0:k0 + valid_k]

                # The first chunk clears the accumulator, the others add to it.
                ea.matmul(
                    l0c[tile_count],
                    l1_a[chunk_count],
                    l1_b[chunk_count],
                    splitk=STEP_K,
                    is_init=(k0 == 0),
                    m=TILE_M,
                    n=TILE_N,
                    k=valid_k,
                )
                chunk_count += 1

            c[m0:m0 + valid_m, n0:n0 + valid_n] <<= l0c[tile_count][0:valid_m, 0:valid_n]
            tile_count += 1

    return c


if __name__ == "__main__":
    import torch

    for M, N, K in [(128, 128, 512), (65, 127, 577), (1, 63, 64), (321, 129, 1151), (600, 640, 33)]:
        a = torch.randint(-128, 128, (M, K)).to(torch.int8)
        b = torch.randint(-128, 128, (N, K)).to(torch.int8)
        c = torch.zeros(M, N).to(torch.int32)
        ea.OpExec(int8_matmul, "", simulator=True)(a, b, c, M, N, K)
