"""Infinities in the method and function forms of an expression."""
from easyasc.a2 import *


@kernel(mode="vec")
def methods(x: GMTensor, y: GMTensor):
    t = Tensor(DT.float, [64, 64], Position.UB)
    t <<= x[0:64, 0:64]
    t <<= t.maximum(float("-inf"))  #~ WARNING infinite-sentinel: vmaxs() takes the sentinel -inf #~ ERROR race
    t <<= maximum(t, -float("inf"))  #~ WARNING infinite-sentinel: vmaxs() takes the sentinel -inf #~ ERROR race
    exp(t, t)  #~ ERROR race
    y[0:64, 0:64] <<= t  #~ ERROR race
    return y
