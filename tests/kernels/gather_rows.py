"""Two ways to gather: whole rows by scalar index, columns by byte offset.

gather_rows       y = table[np.clip(index, 0, R - 1)]
    table half [R, 128], index int [M], y half [M, 128]
permute_columns   y = x[:, np.clip(perm, 0, 127)]
    x float [M, 128], perm int [128], y float [M, 128]

Tiling   both: 128 output rows per core and step, 64 per vec lane.

gather_rows, UB per lane in bytes
    row_buf    2 x [64,128] half     32768
    index_ub       [1,64]   int        256
    total                            33024  (of 196608)
permute_columns, UB per lane in bytes
    x_in       2 x [64,128] float    65536
    y_out      2 x [64,128] float    65536
    perm_ub        [1,128]  int        512
    offsets        [1,128]  int        512
    total                           132096  (of 196608)
"""
import torch

from easyasc.a2 import *

D = 128
TILE_M = 128
HALF_M = TILE_M // 2
FLOAT_BYTES = 4


# a2lint: launch(M=65, R=50)
@kernel(mode="vec")
def gather_rows(table: GMTensor, index: GMTensor, y: GMTensor, M: Var, R: Var):
    row_buf = DBuff(DT.half, [HALF_M, D], Position.UB)
    index_ub = Tensor(DT.int, [1, HALF_M], Position.UB)

    # auto_sync does not know the scalar unit. index_loaded makes S wait for
    # the indices; index_free keeps the next load away until S has read them
    # and starts free.
    index_loaded = SEvent(Pipe.MTE2, Pipe.S)
    index_free = SEvent(Pipe.S, Pipe.MTE2, preset=True)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    per_core = CeilDiv(tiles, GetCubeNum())
    tile_begin = Var(per_core * GetCubeIdx())
    tile_end = Min(tile_begin + per_core, tiles)
    source_row = Var(0)
    slot = Var(0)

    with auto_sync():
        for tile in range(tile_begin, tile_end):
            row0 = Var(tile * TILE_M + sb * HALF_M)
            rows = Min(HALF_M, Max(M - row0, 0))
            if rows > 0:
                index_free.wait()
                index_ub[0:1, 0:rows] <<= index[row0:row0 + rows]
                index_loaded.set()
                index_loaded.wait()

                for r in range(rows):
                    source_row.GetValueFrom(index_ub[0:1, r:r + 1])
                    source_row <<= Min(Max(source_row, 0), R - 1)
                    row_buf[slot][r:r + 1, 0:D] <<= table[source_row:source_row + 1, 0:D]
                index_free.set()

                # No vector instruction touches row_buf: the load and the
                # store are the pair that auto_sync orders.
                y[row0:row0 + rows, 0:D] <<= row_buf[slot][0:rows, 0:D]
                slot += 1
    return y


# a2lint: launch(M=65)
@kernel()
def permute_columns(x: GMTensor, perm: GMTensor, y: GMTensor, M: Var):
    x_in = DBuff(DT.float, [HALF_M, D], Position.UB)
    y_out = DBuff(DT.float, [HALF_M, D], Position.UB)
    perm_ub = Tensor(DT.int, [1, D], Position.UB)
    offsets = Tensor(DT.int, [1, D], Position.UB)

    sb = GetSubBlockIdx()
    tiles = CeilDiv(M, TILE_M)
    slot = Var(0)

    with auto_sync():
        # Offsets are bytes from the start of the source view, here one row,
        # so one row of offsets serves every row of the tile.
        perm_ub <<= perm[0:D]
        vmaxs(offsets, perm_ub, 0)
        vmins(offsets, offsets, D - 1)
        muls(offsets, offsets, FLOAT_BYTES)

        for tile in range(GetCubeIdx(), tiles, GetCubeNum()):
            row0 = Min(tile * TILE_M + sb * HALF_M, M)
            rows = Min(HALF_M, M - row0)
            x_in[slot][0:rows, 0:D] <<= x[row0:row0 + rows, 0:D]
            for r in range(rows):
                gather(y_out[slot][r:r + 1, 0:D], x_in[slot][r:r + 1, 0:D], offsets.reinterpret(DT.uint32))
            y[row0:row0 + rows, 0:D] <<= y_out[slot][0:rows, 0:D]
            slot += 1
    return y


if __name__ == "__main__":
    for M in [1, 65, 300]:
        R = 50
        table = torch.randn(R, D).half()
        index = torch.randint(0, R, (M,), dtype=torch.int32)
        y = torch.zeros(M, D).half()
        OpExec(gather_rows, "", simulator=True)(table, index, y, M, R)

    for M in [63, 128]:
        x = torch.randn(M, D)
        perm = torch.randint(0, D, (D,), dtype=torch.int32)
        y = torch.zeros(M, D)
        OpExec(permute_columns, "", simulator=True)(x, perm, y, M)
