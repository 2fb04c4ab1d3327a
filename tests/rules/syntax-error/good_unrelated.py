"""A mistake in a function that no kernel calls is Python's business."""
from easyasc.a2 import *


def unrelated(values):
    return sum(values


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        a <<= x[0:64, 0:64]
        exp(a, a)
        y[0:64, 0:64] <<= a
    return y
