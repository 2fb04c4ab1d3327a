# An event is set after the first of two loads: sets and waits balance, values agree in a simulation, and a race is left.
from ascriptor.a2 import *


@kernel(mode="vec", block_dim=1)
def after_the_first(x: GM[f32, (8, 64)], w: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    left = Tensor(f32, [8, 64], Position.UB)
    right = Tensor(f32, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    left <<= x
    loaded.set()
    right <<= w
    loaded.wait()
    add(left, left, right)  #~ ERROR race: nothing orders MTE2→V
    added.set()
    added.wait()
    y <<= left
    return y


@kernel(mode="vec", block_dim=1)
def after_both(x: GM[f32, (8, 64)], w: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    left = Tensor(f32, [8, 64], Position.UB)
    right = Tensor(f32, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    left <<= x
    right <<= w
    loaded.set()
    loaded.wait()
    add(left, left, right)
    added.set()
    added.wait()
    y <<= left
    return y


@kernel(mode="vec", block_dim=1)
def one_event_each(x: GM[f32, (8, 64)], w: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    left = Tensor(f32, [8, 64], Position.UB)
    right = Tensor(f32, [8, 64], Position.UB)
    here = SEvent(Pipe.MTE2, Pipe.V)
    there = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    left <<= x
    here.set()
    right <<= w
    there.set()
    here.wait()
    there.wait()
    add(left, left, right)
    added.set()
    added.wait()
    y <<= left
    return y
