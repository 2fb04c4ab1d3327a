# Partial products of two-byte types that add to fewer than ten fractals without bar_m: a 910B3 gave wrong sums.
from easyasc.a2 import *


@kernel(mode="cube")
def sixteen_rows(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = Tensor(DT.bfloat16, [16, 256], Position.L1)
    keys = Tensor(DT.bfloat16, [64, 256], Position.L1)
    scores = Tensor(DT.float, [16, 64], Position.L0C)
    with auto_sync():
        rows <<= q[0:16, 0:256]
        keys <<= k[0:64, 0:256]
        matmul(scores, rows, keys, m=16, n=64, k=256, splitk=64)  #~ ERROR accumulate-settle: 4 fractals of 16x16
        s[0:16, 0:64] <<= scores
    return s


@kernel(mode="cube")
def thirty_two_rows(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = Tensor(DT.half, [32, 128], Position.L1)
    keys = Tensor(DT.half, [64, 128], Position.L1)
    scores = Tensor(DT.float, [32, 64], Position.L0C)
    with auto_sync():
        rows <<= q[0:32, 0:128]
        keys <<= k[0:64, 0:128]
        matmul(scores, rows, keys, m=32, n=64, k=128, splitk=32)  #~ ERROR accumulate-settle: 8 fractals of 16x16
        s[0:32, 0:64] <<= scores
    return s


@kernel(mode="cube")
def by_hand(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = DBuff(DT.half, [32, 64], Position.L1)
    keys = DBuff(DT.half, [64, 64], Position.L1)
    scores = Tensor(DT.float, [32, 64], Position.L0C)
    step = Var(0)
    with auto_sync():
        for d in range(0, 256, 64):
            rows[step] <<= q[0:32, d:d + 64]
            keys[step] <<= k[0:64, d:d + 64]
            matmul(scores, rows[step], keys[step], is_init=(d == 0))  #~ WARNING accumulate-settle: 8 fractals of 16x16
            step += 1
        s[0:32, 0:64] <<= scores
    return s


@kernel(mode="cube")
def settled(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = DBuff(DT.half, [32, 64], Position.L1)
    keys = DBuff(DT.half, [64, 64], Position.L1)
    scores = Tensor(DT.float, [32, 64], Position.L0C)
    step = Var(0)
    with auto_sync():
        for d in range(0, 256, 64):
            rows[step] <<= q[0:32, d:d + 64]
            keys[step] <<= k[0:64, d:d + 64]
            bar_m()
            matmul(scores, rows[step], keys[step], is_init=(d == 0))
            step += 1
        s[0:32, 0:64] <<= scores
    return s


@kernel(mode="cube")
def sixty_four_rows(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = Tensor(DT.bfloat16, [64, 256], Position.L1)
    keys = Tensor(DT.bfloat16, [64, 256], Position.L1)
    scores = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        rows <<= q[0:64, 0:256]
        keys <<= k[0:64, 0:256]
        matmul(scores, rows, keys, m=64, n=64, k=256, splitk=64)
        s[0:64, 0:64] <<= scores
    return s


@kernel(mode="cube")
def one_step(q: GMTensor, k: GMTensor, s: GMTensor):
    rows = Tensor(DT.bfloat16, [16, 64], Position.L1)
    keys = Tensor(DT.bfloat16, [64, 64], Position.L1)
    scores = Tensor(DT.float, [16, 64], Position.L0C)
    with auto_sync():
        rows <<= q[0:16, 0:64]
        keys <<= k[0:64, 0:64]
        matmul(scores, rows, keys, m=16, n=64, k=64, splitk=64)
        s[0:16, 0:64] <<= scores
    return s
