"""Nothing but scalar arithmetic: 100 000 assignments on every lane."""
from easyasc.a2 import *


@kernel()
def scalar_loop(y: GMTensor):
    total = Var(0)
    for i in range(0, 100000):
        total <<= total + i
    return y
