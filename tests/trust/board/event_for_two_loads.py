# An event is set after the first of two loads: sets and waits balance, values agree in a simulation, and a race is left.
from easyasc.a2 import *


@kernel(mode="vec")
def after_the_first(x: GMTensor, w: GMTensor, y: GMTensor):
    left = Tensor(DT.float, [8, 64], Position.UB)
    right = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    left <<= x[0:8, 0:64]
    loaded.set()
    right <<= w[0:8, 0:64]
    loaded.wait()
    add(left, left, right)  #~ ERROR race: nothing orders MTE2→V
    added.set()
    added.wait()
    y[0:8, 0:64] <<= left
    return y


@kernel(mode="vec")
def after_both(x: GMTensor, w: GMTensor, y: GMTensor):
    left = Tensor(DT.float, [8, 64], Position.UB)
    right = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    left <<= x[0:8, 0:64]
    right <<= w[0:8, 0:64]
    loaded.set()
    loaded.wait()
    add(left, left, right)
    added.set()
    added.wait()
    y[0:8, 0:64] <<= left
    return y


@kernel(mode="vec")
def one_event_each(x: GMTensor, w: GMTensor, y: GMTensor):
    left = Tensor(DT.float, [8, 64], Position.UB)
    right = Tensor(DT.float, [8, 64], Position.UB)
    here = SEvent(Pipe.MTE2, Pipe.V)
    there = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    left <<= x[0:8, 0:64]
    here.set()
    right <<= w[0:8, 0:64]
    there.set()
    here.wait()
    there.wait()
    add(left, left, right)
    added.set()
    added.wait()
    y[0:8, 0:64] <<= left
    return y
