"""Operands in the wrong memory, slots that were not picked."""
from easyasc.a2 import *


@func()
def clear(dst):
    dup(dst, 0.0)  #~ ERROR trace-error: ValueError: dup() wants `dst` in UB


@kernel()
def wrong(a: GMTensor, y: GMTensor, M: Var):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    ring = DBuff(DT.float, [64, 64], Position.UB)
    with auto_sync():
        clear(l1_a)
        clear(l1_a)
        ring <<= a[0:64, 0:64]  #~ ERROR trace-error: TypeError: `ring` is a ring of slots
        ring[0] <<= a[0:64, 0:64]
        exp(ring, ring)  #~ ERROR trace-error: TypeError: exp() wants a Tensor for `dst`, not a DBuff  #~ ERROR trace-error: for `src`
        ring[0] <<= 0.0  #~ ERROR trace-error: TypeError: cannot move 'float'
        y[0:64, 0:64] <<= ring[0]

    return y
