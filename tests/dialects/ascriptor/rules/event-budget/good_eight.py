"""Eight ids from one pipe to another are all there are, and none is reserved."""
from ascriptor.a2 import *


@kernel(mode="vec")
def events(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    tile = DBuff(f32, [64, 64], Position.UB)
    loaded = QEvent(Pipe.MTE2, Pipe.V)
    again = QEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    tile[0] <<= x
    loaded.set()
    tile[1] <<= x
    again.set()
    loaded.wait()
    exp(tile[0], tile[0])
    again.wait()
    add(tile[0], tile[0], tile[1])
    done.set()
    done.wait()
    y[0:64, 0:64] <<= tile[0]
    return y
