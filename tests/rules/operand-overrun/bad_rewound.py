"""Behind reset_cache() several buffers lie at one address: no neighbour is named."""
from easyasc.a2 import *


@kernel(mode="vec")
def phases(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 128], Position.UB)
    a <<= x[0:1, 0:128]
    y[0:1, 0:128] <<= a  #~ ERROR sub-block-split #~ ERROR race
    reset_cache()
    b = Tensor(DT.float, [1, 100], Position.UB)
    c = Tensor(DT.float, [1, 64], Position.UB)
    b <<= x[0:1, 0:100]
    c <<= x[0:1, 0:64]
    exp(b, b)  #~ ERROR operand-overrun: exp() writes 28 elements past the end of `b` [1,100] (repeat 2) #~ ERROR race
    y[0:1, 0:100] <<= b  #~ ERROR race #~ ERROR race
    y[1:2, 0:64] <<= c
    return y
