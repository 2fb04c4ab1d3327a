"""Strides that reach every block, slices filled in turn, readers that stay inside the fill."""
from easyasc.a2 import *


@kernel(mode="vec")
def strides(x: GMTensor, y: GMTensor):
    shift = Tensor(DT.float, [64, 8], Position.UB)
    t = Tensor(DT.float, [64, 128], Position.UB)
    t <<= x[0:64, 0:128]
    bar_all()
    dup(shift, 1.0, 8, 1, 8)
    bar_all()
    for c in range(0, 128, 64):
        sub(t[:, c:c + 64], t[:, c:c + 64], shift, 64, 1, 1, 0, 16, 16, 1)
    bar_all()
    y[0:64, 0:128] <<= t
    return y


@kernel(mode="vec")
def slices(x: GMTensor, y: GMTensor):
    wide = Tensor(DT.float, [64, 512], Position.UB)
    t = Tensor(DT.float, [64, 64], Position.UB)
    for c in unroll(8):
        dup(wide[:, c * 64:c * 64 + 64], 0.0)
    t <<= x[0:64, 0:64]
    bar_all()
    add(wide[:, 0:64], wide[:, 0:64], t)
    bar_all()
    y[0:64, 0:512] <<= wide
    return y


@kernel(mode="vec")
def first_rows(x: GMTensor, y: GMTensor):
    shift = Tensor(DT.float, [64, 8], Position.UB)
    t = Tensor(DT.float, [64, 8], Position.UB)
    dup(shift, 1.0)
    t <<= x[0:64, 0:8]
    bar_all()
    add(t, t, shift)
    bar_all()
    y[0:8, 0:8] <<= t[0:8, :]
    return y
