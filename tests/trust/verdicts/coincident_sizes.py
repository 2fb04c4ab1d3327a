# Sizes that are the same in the only launch are not equated: a constant is asked for where accesses name a constant.
import torch
from easyasc.a2 import *


@kernel()
def tiles(x: GMTensor, y: GMTensor, M: Var):
    #~ VERDICT tiles.bounds: proved-if x is [M, 64], y is [M, 64]
    #~ VERDICT tiles.ownership: proved-if M % 64 == 0
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 64, GetVecNum()):
            ub[c] <<= x[t * 64:t * 64 + 64, 0:64]
            y[t * 64:t * 64 + 64, 0:64] <<= ub[c]
            c += 1
    return y


@kernel()
def bias_of_one_row(x: GMTensor, b: GMTensor, y: GMTensor, K: Var):
    #~ VERDICT bias_of_one_row.bounds: proved-if x is [K, 64], b is [1, 64], y is [K, 64]
    ub = DBuff(DT.float, [1, 64], Position.UB)
    row = DBuff(DT.float, [1, 64], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), K, GetVecNum()):
            row[c] <<= b[0:1, 0:64]
            ub[c] <<= x[t:t + 1, 0:64]
            add(ub[c], ub[c], row[c])
            y[t:t + 1, 0:64] <<= ub[c]
            c += 1
    return y


@kernel()
def columns_in_turn(x: GMTensor, y: GMTensor, M: Var):
    #~ VERDICT columns_in_turn.bounds: proved-if x is [M, 64], y is [M, 64]
    ub = DBuff(DT.float, [64, 16], Position.UB)
    c = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), M // 64, GetVecNum()):
            for q in range(4):
                ub[c] <<= x[t * 64:t * 64 + 64, q * 16:q * 16 + 16]
                y[t * 64:t * 64 + 64, q * 16:q * 16 + 16] <<= ub[c]
                c += 1
    return y


if __name__ == "__main__":
    OpExec(tiles, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), 64)
    OpExec(columns_in_turn, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64), 64)
    OpExec(bias_of_one_row, "", simulator=True)(torch.randn(1, 64), torch.randn(1, 64), torch.zeros(1, 64), 1)
