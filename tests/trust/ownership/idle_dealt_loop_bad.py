# A dealt loop that moves no axis around another one: only lanes with an iteration of it store anything
from ascriptor.a2 import *


#~ VERDICT rows_of_one_lane.ownership: open
@kernel(mode="vec", block_dim=4)
def rows_of_one_lane(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), 1, GetVecNum()):
            for r in range(GetVecIdx(), M, GetVecNum()):
                u[n] <<= x[r:r + 1, 0:64]
                y[r:r + 1, 0:64] <<= u[n]
                n += 1
    return y


#~ VERDICT blocks_of_batches.ownership: open
@kernel(mode="vec", block_dim=4)
def blocks_of_batches(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], B: i32):
    u = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    per = CeilDiv(B, GetVecNum())
    first = Var(per * GetVecIdx())
    last = Min(first + per, B)
    with auto_sync():
        for b in range(first, last):
            for r in range(GetVecIdx(), M, GetVecNum()):
                u[n] <<= x[r:r + 1, 0:64]
                y[r:r + 1, 0:64] <<= u[n]
                n += 1
            bar_mte3()
    return y


#~ VERDICT innermost.ownership: open
@kernel(mode="vec", block_dim=4)
def innermost(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], B: i32):
    u = DBuff(f32, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), M, GetVecNum()):
            for b in range(GetVecIdx(), B, GetVecNum()):
                u[n] <<= x[r:r + 1, 0:64]
                y[r:r + 1, 0:64] <<= u[n]
                n += 1
                bar_mte3()
    return y
