"""Between global tensors, into L0A, out of L1."""
from ascriptor.a2 import *


@kernel(mode="cube")
def work(x: GM[f16, (64, 64)], y: GM[f16, (64, 64)]):
    l1_a = Tensor(f16, [64, 64], Position.L1)
    l0a = Tensor(f16, [64, 64], Position.L0A)
    with auto_sync():
        y <<= x  #~ ERROR illegal-move: from GM to GM
        l0a <<= x  #~ ERROR illegal-move: from GM to L0A
        l1_a <<= x
        y <<= l1_a  #~ ERROR illegal-move: from L1 to GM
    return y
