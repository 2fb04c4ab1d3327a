# Extents in signatures: columns beside a symbolic axis, stores, tensors of three axes; and the good cases beside them.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def columns(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], g: f32):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        for r in range(0, M, 8):
            u <<= x[r:r + 8, 32:96]  #~ ERROR gm-out-of-bounds: `x` has 64 columns; gm_to_ub_pad() reads 32..96
            muls(u, u, g)
            y[r:r + 8, 0:64] <<= u
    return y


@kernel(mode="vec", block_dim=1)
def batches(x: GM[f32, (2, 8, 64)], y: GM[f32, (2, 8, 64)], g: f32):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[1, 0:8, 0:64]
        muls(u, u, g)
        y[2, 0:8, 0:64] <<= u  #~ ERROR gm-out-of-bounds: `y` has 2 elements on axis 0; ub_to_gm_pad() writes 2..3
    return y


@kernel(mode="cube", block_dim=1)
def matrices(a: GM[f16, (64, 64)], c: GM[f32, (64, 64)]):
    la = Tensor(f16, [64, 64], Position.L1)
    acc = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        la <<= a[16:80, 0:64]  #~ ERROR gm-out-of-bounds: `a` has 64 rows; gm_to_l1_nd2nz() reads 16..80
        matmul(acc, la, la)
        c <<= acc
    return c


@kernel(mode="vec", block_dim=1)
def last(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)], g: f32):
    u = Tensor(f32, [8, 64], Position.UB)
    with auto_sync():
        u <<= x[0:8, 0:64]
        muls(u, u, g)
        y[0:8, 0:64] <<= u
    return y


@kernel(mode="vec", block_dim=1)
def loop(x: GM[f32, (12, 64)], y: GM[f32, (12, 64)], g: f32):
    u = DBuff(f32, [8, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(0, 12, 8):
            u[n] <<= x[r:r + 8, 0:64]  #~ ERROR gm-out-of-bounds: axis 0 has 12 elements
            muls(u[n], u[n], g)
            y[r:r + 8, 0:64] <<= u[n]  #~ ERROR gm-out-of-bounds: axis 0 has 12 elements
            n += 1
    return y
