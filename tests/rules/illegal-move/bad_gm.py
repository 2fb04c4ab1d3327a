"""Between global tensors, and straight into L0A."""
from easyasc.a2 import *


@kernel()
def shuffle(a: GMTensor, y: GMTensor, M: Var):
    l0a = Tensor(DT.half, [64, 64], Position.L0A)
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    with auto_sync():
        y[0:64, 0:64] <<= a[0:64, 0:64]  #~ ERROR illegal-move: from GM to GM
        l0a <<= a[0:64, 0:64]  #~ ERROR illegal-move: from GM to L0A
        l1_a <<= a[0:64, 0:64]
        y[0:64, 0:64] <<= l1_a  #~ ERROR illegal-move: from L1 to GM

    return y
