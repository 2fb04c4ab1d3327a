"""Nine ids from one pipe to another; there are eight."""
from ascriptor.a2 import *


@kernel(mode="vec")
def events(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    first = QEvent(Pipe.MTE2, Pipe.V, preset=True)
    second = QEvent(Pipe.MTE2, Pipe.V, preset=True)
    third = SEvent(Pipe.MTE2, Pipe.V, preset=True)  #~ ERROR event-budget: 9 ids
    done = SEvent(Pipe.V, Pipe.MTE3)
    tile <<= x
    first.wait()
    first.set()
    second.wait()
    second.set()
    third.wait()
    third.set()
    first.wait()
    bar_all()
    exp(tile, tile)
    done.set()
    done.wait()
    y[0:64, 0:64] <<= tile
    return y
