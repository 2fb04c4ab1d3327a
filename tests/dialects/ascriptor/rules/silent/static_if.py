"""A test that Python decides is folded, without a word."""
from ascriptor.a2 import *

CAUSAL = True
SCALE = None


@kernel(mode="vec")
def folded(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    ub = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x
        if CAUSAL:
            exp(ub, ub)
        else:
            ln(ub, ub)
        if SCALE is not None and SCALE != 1.0:
            muls(ub, ub, SCALE)
        for part in (0, 32):
            if part == 0:
                adds(ub[part:part + 32, :], ub[part:part + 32, :], 1.0)
        y[0:64, 0:64] <<= ub
    return y
