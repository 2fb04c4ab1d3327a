# The other dialect, with the set in a helper that skips the last, shorter tile
from ascriptor.a2 import *


def hand_over(event, valid, whole):
    if valid >= whole:
        event.set()


@kernel(mode="vec")
def shifted(src: GM[f32, ("R", 64)], dst: GM[f32, ("R", 64)]):
    buf = Tensor(f32, [32, 64], Position.UB)
    ready = SEvent(Pipe.MTE2, Pipe.MTE3)
    again = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for first in range(GetVecIdx() * 32, R, GetVecNum() * 32):
        count = Min(32, R - first)
        again.wait()
        buf[0:count, :] <<= src[first:first + count, 0:64]
        hand_over(ready, count, 32)
        ready.wait()  #~ WARNING deadlock: waits for the event `ready`
        dst[first:first + count, 0:64] <<= buf[0:count, :]
        again.set()
    return dst
