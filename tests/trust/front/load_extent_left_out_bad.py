# an extent that is given alone has no effect: a load infers all three of them unless all three are given.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def first_rows(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        gm_to_ub_pad(u, x[0:64, 0:64], n_burst=8)  #~ WARNING no-effect: `n_burst` has no effect: without `burst_len_element` and `src_stride_element`
        ub_to_gm_pad(y[0:64, 0:64], u)
    return y


@kernel(mode="vec", block_dim=1)
def first_columns(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        gm_to_ub_pad(
            u,
            x[0:64, 0:64],
            n_burst=64,
            burst_len_element=32,  #~ WARNING no-effect: without `src_stride_element`, gm_to_ub_pad() infers all
        )
        y[0:64, 0:64] <<= u
    return y


def loaded(u, x, rows):
    gm_to_ub_pad(u, x, n_burst=rows)  #~ WARNING no-effect: `n_burst` has no effect


@kernel(mode="vec")
def in_a_helper(x: GM[f32, ("M", 64)], y: GM[f32, (64, 64)], R: i32):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        loaded(u, x[0:64, 0:64], R)
        y[0:64, 0:64] <<= u
    return y
