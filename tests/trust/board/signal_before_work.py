# A lane hands its token over before its store: counts balance, and the cube loads rows that are still being written.
from easyasc.a2 import *


@kernel()
def early(x: GMTensor, b: GMTensor, c: GMTensor):
    part = Tensor(DT.half, [32, 64], Position.UB)
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        if core == 0:
            part <<= x[half:half + 32, 0:64]
            vec_ready(0)
            ws[core, half:half + 32, 0:64] <<= part
            wait_vec(0)
            rows <<= ws[core, 0:64, 0:64]  #~ ERROR mutex-protocol: may still be writing it on MTE3 of vec1
            weights <<= b[0:64, 0:64]
            matmul(product, rows, weights)
            c[0:64, 0:64] <<= product
    return c


@kernel()
def after_the_store(x: GMTensor, b: GMTensor, c: GMTensor):
    part = Tensor(DT.half, [32, 64], Position.UB)
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        if core == 0:
            part <<= x[half:half + 32, 0:64]
            ws[core, half:half + 32, 0:64] <<= part
            vec_ready(0)
            wait_vec(0)
            rows <<= ws[core, 0:64, 0:64]
            weights <<= b[0:64, 0:64]
            matmul(product, rows, weights)
            c[0:64, 0:64] <<= product
    return c


@kernel()
def one_lane_alone(x: GMTensor, b: GMTensor, c: GMTensor):
    part = Tensor(DT.half, [64, 64], Position.UB)
    rows = Tensor(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = Tensor(DT.float, [64, 64], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    core = GetCubeIdx()
    with auto_sync():
        if core == 0:
            if GetSubBlockIdx() == 0:
                part <<= x[0:64, 0:64]
                ws[core, 0:64, 0:64] <<= part
                vec_ready(0)  #~ ERROR one-lane-token: only vec0 reaches
            wait_vec(0)
            rows <<= ws[core, 0:64, 0:64]
            weights <<= b[0:64, 0:64]
            matmul(product, rows, weights)
            c[0:64, 0:64] <<= product
    return c
