# Installed compilers before 2026-09-18 put no barrier between the steps of a split product: M=32 ended in 507015.
from ascriptor.a2 import *


@kernel(mode="cube", block_dim=1)
def thirty_two_rows(q: GM[bf16, (32, 128)], k: GM[bf16, (64, 128)], s: GM[f32, (32, 64)]):
    rows = Tensor(bf16, [32, 128], Position.L1)
    keys = Tensor(bf16, [64, 128], Position.L1)
    scores = Tensor(f32, [32, 64], Position.L0C)
    with auto_sync():
        rows <<= q
        keys <<= k
        matmul(scores, rows, keys, m=32, n=64, k=128, splitk=32)  #~ INFO accumulate-settle: has 32 rows of bfloat16
        s <<= scores
    return s


@kernel(mode="cube", block_dim=1)
def floats(q: GM[f32, (32, 64)], k: GM[f32, (64, 64)], s: GM[f32, (32, 64)]):
    rows = Tensor(f32, [32, 64], Position.L1)
    keys = Tensor(f32, [64, 64], Position.L1)
    scores = Tensor(f32, [32, 64], Position.L0C)
    with auto_sync():
        rows <<= q
        keys <<= k
        matmul(scores, rows, keys, m=32, n=64, k=64, splitk=32)
        s <<= scores
    return s


@kernel(mode="cube", block_dim=1)
def by_hand(q: GM[bf16, (16, 128)], k: GM[bf16, (64, 128)], s: GM[f32, (16, 64)]):
    rows = DBuff(bf16, [16, 64], Position.L1)
    keys = DBuff(bf16, [64, 64], Position.L1)
    scores = Tensor(f32, [16, 64], Position.L0C)
    with auto_sync():
        rows[0] <<= q[:, 0:64]
        keys[0] <<= k[:, 0:64]
        matmul(scores, rows[0], keys[0], is_init=True)
        rows[1] <<= q[:, 64:128]
        keys[1] <<= k[:, 64:128]
        matmul(scores, rows[1], keys[1], is_init=False)
        s <<= scores
    return s
