# an extent that says what the view says has its effect, and so have all three; a store infers each by itself.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def same(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        gm_to_ub_pad(u, x[0:64, 0:64], n_burst=64)
        ub_to_gm_pad(y[0:64, 0:64], u, n_burst=64)
    return y


@kernel(mode="vec", block_dim=1)
def all_given(x: GM[f32, (64, 64)], y: GM[f32, (8, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        gm_to_ub_pad(u, x[0:64, 0:64], n_burst=8, burst_len_element=64, src_stride_element=0)
        ub_to_gm_pad(y[0:8, 0:64], u[0:8, 0:64])
    return y


@kernel(mode="vec")
def tails(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            valid = Min(64, M - row)
            gm_to_ub_pad(u, x[row:row + valid, 0:64], n_burst=valid)
            ub_to_gm_pad(y[row:row + valid, 0:64], u[0:valid, 0:64])
    return y
