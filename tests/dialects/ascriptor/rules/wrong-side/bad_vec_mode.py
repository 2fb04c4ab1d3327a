"""A kernel of the vector unit alone has no cube and no way to L1."""
from ascriptor.a2 import *


@kernel(mode="vec")
def product(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        l1 <<= a  #~ ERROR wrong-side
        matmul(l0c, l1, l1, m=64, n=64, k=64)  #~ ERROR wrong-side
        y[0:64, 0:64] <<= l0c  #~ ERROR wrong-side
    return y
