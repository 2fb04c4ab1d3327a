"""All lanes load halfs at once; the times that each takes on the device are in `tests/it/cost.rs`.

The whole of one matrix, in tiles of 64 columns:

ub_same      48 vec lanes, all in the same order
ub_apart     each vec lane begins at another tile
l1_same      24 cube lanes, all in the same order
l1_apart     each cube lane begins at another tile

Each lane its own rows, in tiles of 64:

ub_narrow    to UB, 64 columns
ub_wide      to UB, 1024 columns
ub_again     to UB, 1024 columns, a quarter of them four times before the next
l1_narrow    to L1, 64 columns
l1_wide      to L1, 256 columns
l1_again     to L1, 1024 columns, a quarter of them four times before the next
"""
from easyasc.a2 import *

COLUMNS = 64                            # halfs of 128 bytes
UB_ROWS = 128
L1_ROWS = 256
ROWS = 64                               # of a tile that is a lane's own
WIDE = 1024
MIDDLE = 256
QUARTERS = 4


@kernel(mode="vec")
def ub_same(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [UB_ROWS, COLUMNS], Position.UB)
    for row in range(0, M, UB_ROWS):
        for column in range(0, N, COLUMNS):
            tile <<= x[row:row + UB_ROWS, column:column + COLUMNS]


@kernel(mode="vec")
def ub_apart(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [UB_ROWS, COLUMNS], Position.UB)
    tiles = M // UB_ROWS
    for step in range(0, tiles):
        row = ((step + GetVecIdx()) % tiles) * UB_ROWS
        for column in range(0, N, COLUMNS):
            tile <<= x[row:row + UB_ROWS, column:column + COLUMNS]


@kernel()
def l1_same(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [L1_ROWS, COLUMNS], Position.L1)
    for row in range(0, M, L1_ROWS):
        for column in range(0, N, COLUMNS):
            tile <<= x[row:row + L1_ROWS, column:column + COLUMNS]


@kernel()
def l1_apart(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [L1_ROWS, COLUMNS], Position.L1)
    tiles = M // L1_ROWS
    for step in range(0, tiles):
        row = ((step + GetCubeIdx()) % tiles) * L1_ROWS
        for column in range(0, N, COLUMNS):
            tile <<= x[row:row + L1_ROWS, column:column + COLUMNS]


@kernel(mode="vec")
def ub_narrow(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [ROWS, COLUMNS], Position.UB)
    for row in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
        tile <<= x[row:row + ROWS, 0:COLUMNS]


@kernel(mode="vec")
def ub_wide(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [ROWS, WIDE], Position.UB)
    for row in range(GetVecIdx() * ROWS, M, GetVecNum() * ROWS):
        tile <<= x[row:row + ROWS, 0:WIDE]


@kernel(mode="vec")
def ub_again(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [ROWS, WIDE], Position.UB)
    quarter = M // QUARTERS
    for first in range(0, M, quarter):
        for _ in range(0, QUARTERS):
            for row in range(first + GetVecIdx() * ROWS, first + quarter, GetVecNum() * ROWS):
                tile <<= x[row:row + ROWS, 0:WIDE]


@kernel()
def l1_narrow(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [ROWS, COLUMNS], Position.L1)
    for row in range(GetCubeIdx() * ROWS, M, GetCubeNum() * ROWS):
        tile <<= x[row:row + ROWS, 0:COLUMNS]


@kernel()
def l1_wide(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [ROWS, MIDDLE], Position.L1)
    for row in range(GetCubeIdx() * ROWS, M, GetCubeNum() * ROWS):
        tile <<= x[row:row + ROWS, 0:MIDDLE]


@kernel()
def l1_again(x: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.half, [ROWS, WIDE], Position.L1)
    quarter = M // QUARTERS
    for first in range(0, M, quarter):
        for _ in range(0, QUARTERS):
            for row in range(first + GetCubeIdx() * ROWS, first + quarter, GetCubeNum() * ROWS):
                tile <<= x[row:row + ROWS, 0:WIDE]
