"""All lanes load the whole of one matrix of halfs, in tiles of 64 columns.

The times that each takes on the device are in `tests/it/cost.rs`.

ub_same    48 vec lanes, all in the same order
ub_apart   each vec lane begins at another tile
l1_same    24 cube lanes, all in the same order
l1_apart   each cube lane begins at another tile
"""
from easyasc.a2 import *

COLUMNS = 64                            # halfs of 128 bytes
UB_ROWS = 128
L1_ROWS = 256


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
