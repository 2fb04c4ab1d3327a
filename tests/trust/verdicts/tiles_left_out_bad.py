# Tiles numbered row by row: what leaves out one of them, or mixes up the divisors, covers nothing.
from easyasc.a2 import *


@kernel()
def last_tile_left_out(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT last_tile_left_out.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_m * tiles_n - 1)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_n) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y

@kernel()
def other_divisor(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT other_divisor.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_m * tiles_n)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_m) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y

@kernel()
def every_other_lane(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT every_other_lane.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_m * tiles_n)
    with auto_sync():
        for t in range(GetVecIdx() * 2, tiles, GetVecNum() * 2):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_n) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y

@kernel()
def starts_at_one(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT starts_at_one.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_m * tiles_n)
    with auto_sync():
        for t in range(GetVecIdx() + 1, tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_n) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y

@kernel()
def counter_beside_the_rest(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT counter_beside_the_rest.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_m * tiles_n)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_n + t) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]  #~ WARNING repeat-range
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]  #~ WARNING repeat-range
            c += 1
    return y

@kernel()
def rows_without_tails(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT rows_without_tails.ownership: proved-if M % 64 == 0
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(M // 64 * tiles_n)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t - row * tiles_n) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y

@kernel()
def shifted_rest(x: GMTensor, y: GMTensor, M: Var, N: Var):  #~ VERDICT shifted_rest.ownership: open
    ub = DBuff(DT.float, [64, 64], Position.UB)
    c = Var(0)
    tiles_m = CeilDiv(M, 64)
    tiles_n = CeilDiv(N, 64)
    tiles = Var(tiles_m * tiles_n)
    with auto_sync():
        for t in range(GetVecIdx(), tiles, GetVecNum()):
            row = Var(t // tiles_n)
            m0 = Var(row * 64)
            n0 = Var((t + 1 - row * tiles_n) * 64)
            vm = Min(64, M - m0)
            vn = Min(64, N - n0)
            ub[c] <<= x[m0:m0 + vm, n0:n0 + vn]
            y[m0:m0 + vm, n0:n0 + vn] <<= ub[c][0:vm, 0:vn]
            c += 1
    return y
