# A lane hands its token over before its store: counts balance, and the cube loads rows that are still being written.
from ascriptor.a2 import *


@kernel(block_dim=1)
def early(x: GM[f16, (64, 64)], b: GM[f16, (64, 64)], c: GM[f32, (64, 64)]):
    part = Tensor(f16, [32, 64], Position.UB)
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    ws = split_workspace(f16, [64, 64])
    half = GetSubBlockIdx() * 32
    with auto_sync():
        part <<= x[half:half + 32, :]
        vec_ready(0)
        ws[half:half + 32, 0:64] <<= part
        wait_vec(0)
        rows <<= ws[0:64, 0:64]  #~ ERROR mutex-protocol: may still be writing it on MTE3 of vec1
        weights <<= b
        matmul(product, rows, weights)
        c <<= product
    return c


@kernel(block_dim=1)
def after_the_store(x: GM[f16, (64, 64)], b: GM[f16, (64, 64)], c: GM[f32, (64, 64)]):
    part = Tensor(f16, [32, 64], Position.UB)
    rows = Tensor(f16, [64, 64], Position.L1)
    weights = Tensor(f16, [64, 64], Position.L1)
    product = Tensor(f32, [64, 64], Position.L0C)
    ws = split_workspace(f16, [64, 64])
    half = GetSubBlockIdx() * 32
    with auto_sync():
        part <<= x[half:half + 32, :]
        ws[half:half + 32, 0:64] <<= part
        vec_ready(0)
        wait_vec(0)
        rows <<= ws[0:64, 0:64]
        weights <<= b
        matmul(product, rows, weights)
        c <<= product
    return c
