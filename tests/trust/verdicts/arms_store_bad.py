# Near misses of branches that store in every arm: one arm stores another part, less, or nothing, or is no arm of it.
from easyasc.a2 import *


@kernel()
def other_row(x: GMTensor, y: GMTensor, M: Var, flag: Var):  #~ VERDICT other_row.ownership: open
    ub = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]
            if flag == 1:
                y[b:b + 1, 0:64] <<= ub[c]
            else:
                y[0:1, 0:64] <<= ub[c]  #~ WARNING sub-block-split  #~ WARNING race
            c += 1
    return y


@kernel()
def fewer_columns(x: GMTensor, y: GMTensor, M: Var, flag: Var):  #~ VERDICT fewer_columns.ownership: open
    ub = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]
            if flag == 1:
                y[b:b + 1, 0:64] <<= ub[c]
            else:
                y[b:b + 1, 0:56] <<= ub[c][0:1, 0:56]
            c += 1
    return y


@kernel()
def no_else(x: GMTensor, y: GMTensor, M: Var, flag: Var):  #~ VERDICT no_else.ownership: open
    ub = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]  #~ WARNING race
            if flag == 1:
                y[b:b + 1, 0:64] <<= ub[c]
            elif flag == 2:
                y[b:b + 1, 0:64] <<= ub[c]
            c += 1
    return y


@kernel()
def two_branches(x: GMTensor, y: GMTensor, M: Var, flag: Var, mode: Var):  #~ VERDICT two_branches.ownership: open
    ub = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]  #~ WARNING race
            if flag == 1:
                y[b:b + 1, 0:64] <<= ub[c]
            if mode == 1:
                y[b:b + 1, 0:64] <<= ub[c]  #~ WARNING race
            c += 1
    return y


@kernel()
def assigned_in_one(x: GMTensor, y: GMTensor, M: Var, flag: Var):  #~ VERDICT assigned_in_one.ownership: open
    ub = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    row = Var(0)
    with auto_sync():
        for b in range(GetVecIdx(), M, GetVecNum()):
            ub[c] <<= x[b:b + 1, 0:64]
            row <<= b
            if flag == 1:
                y[row:row + 1, 0:64] <<= ub[c]
            else:
                row <<= 0
                y[row:row + 1, 0:64] <<= ub[c]  #~ WARNING sub-block-split  #~ WARNING race
            c += 1
    return y
