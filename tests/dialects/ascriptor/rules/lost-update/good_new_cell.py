"""Var() makes a new cell, and set() and <<= update the old one."""
from ascriptor.a2 import *


@kernel(mode="vec")
def cells(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    row = Var(0)
    row = Var(32)
    rows = Var(8)
    rows.set(rows + 8)
    rows <<= rows + 16
    with auto_sync():
        ub <<= x
        adds(ub[row:row + rows, 0:64], ub[row:row + rows, 0:64], 1.0)
        y[0:64, 0:64] <<= ub
    return y
