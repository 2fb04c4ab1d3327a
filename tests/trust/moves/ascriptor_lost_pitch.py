# An indexed dimension between two slices: `<<=` takes rows to be adjacent, the call knows how far apart they are.
from ascriptor.a2 import *

H = 4
D = 64


@kernel(mode="vec", block_dim=1)
def heads(x: GM[f32, (64, H, D)], y: GM[f32, (64, H, D)]):
    u = DBuff(f32, [16, D], Position.UB)
    n = Var(0)
    with auto_sync():
        for h in range(0, H):
            for t in range(0, 64, 16):
                u[n] <<= x[t:t + 16, h, 0:D]  #~ ERROR gm-slice-rank: the rows of `x[t:t + 16, h, 0:D]` are 256 elements apart, and `<<=` moves rows that are 64 apart
                y[t:t + 16, h, 0:D] <<= u[n]  #~ ERROR gm-slice-rank: the rows of `y[t:t + 16, h, 0:D]` are 256 elements apart
                n += 1
    return y


@kernel(mode="vec", block_dim=1)
def called(x: GM[f32, (64, H, D)], y: GM[f32, (64, H, D)]):
    u = DBuff(f32, [16, D], Position.UB)
    n = Var(0)
    with auto_sync():
        for h in range(0, H):
            for t in range(0, 64, 16):
                gm_to_ub_pad(u[n], x[t:t + 16, h, 0:D])
                ub_to_gm_pad(y[t:t + 16, h, 0:D], u[n])
                n += 1
    return y


@kernel(mode="vec", block_dim=1)
def adjacent(x: GM[f32, (H, 64, D)], y: GM[f32, (64, 1, D)]):
    u = DBuff(f32, [16, D], Position.UB)
    n = Var(0)
    with auto_sync():
        for t in range(0, 64, 16):
            u[n] <<= x[1, t:t + 16, 0:D]
            y[t:t + 16, 0, 0:D] <<= u[n]
            n += 1
    return y


@kernel(mode="cube", block_dim=1)
def matrix(x: GM[f16, (64, H, D)], y: GM[f32, (64, 64)]):
    la = Tensor(f16, [64, D], Position.L1)
    lb = Tensor(f16, [64, D], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        gm_to_l1_nd2nz(la, x[0:64, 1, 0:D])  #~ ERROR gm-slice-rank: the rows of `x[0:64, 1, 0:D]` are 256 elements apart
        gm_to_l1_nd2nz(lb, x[0:64, 2, 0:D], N_src=H * D)
        matmul(acc, la, lb)
        y <<= acc
    return y
