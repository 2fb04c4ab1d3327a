"""Lines that belong to no block."""
from easyasc.a2 import *


def helper(dst):
    dup(dst, 0.0)
      dup(dst, 1.0)  #~ ERROR syntax-error: nothing above opens a block


def nobody(dst):
    dup(dst, 0.0
    return


@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        helper(a)
        a <<= x[0:64, 0:64]
      y[0:64, 0:64] <<= a  #~ ERROR syntax-error: this indentation is that of no block around
    return y
