"""z = x + y of 8192 x 8192 halfs, in the six steps of a published optimisation on 24 cores.

The time that each step takes on the device is in `tests/it/cost.rs`. Tensors are one row; a lane
takes every LANES-th tile of it.

one_lane      the first lane alone, tiles of 8 KiB
serial_8k     tiles of 8 KiB; a load begins when the store before it is done
serial_32k    the same with tiles of 32 KiB
double_32k    two slots: loads, additions and stores overlap
apart_32k     the same with tiles of 126 repeats, and no two operands in one group of banks
"""
from easyasc.a2 import *

SMALL = 4096                            # halfs of 8 KiB, 32 repeats
LARGE = 16384                           # halfs of 32 KiB, 128 repeats
APART = 126 * 128                       # halfs of 126 repeats: whole lines of 512 bytes


# a2lint: launch(N=65536)
@kernel()
def one_lane(x: GMTensor, y: GMTensor, z: GMTensor, N: Var):
    a = Tensor(DT.half, [1, SMALL], Position.UB)
    b = Tensor(DT.half, [1, SMALL], Position.UB)
    c = Tensor(DT.half, [1, SMALL], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    tiles = CeilDiv(N, SMALL)
    for tile in range(GetVecIdx() * tiles, tiles):
        at = tile * SMALL
        stored.wait()
        a <<= x[0:1, at:at + SMALL]
        b <<= y[0:1, at:at + SMALL]
        loaded.set()
        loaded.wait()
        add(c, a, b)
        added.set()
        added.wait()
        z[0:1, at:at + SMALL] <<= c
        stored.set()
    stored.wait()
    return z


# a2lint: launch(N=65536)
@kernel()
def serial_8k(x: GMTensor, y: GMTensor, z: GMTensor, N: Var):
    a = Tensor(DT.half, [1, SMALL], Position.UB)
    b = Tensor(DT.half, [1, SMALL], Position.UB)
    c = Tensor(DT.half, [1, SMALL], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for tile in range(GetVecIdx(), CeilDiv(N, SMALL), GetVecNum()):
        at = tile * SMALL
        stored.wait()
        a <<= x[0:1, at:at + SMALL]
        b <<= y[0:1, at:at + SMALL]
        loaded.set()
        loaded.wait()
        add(c, a, b)
        added.set()
        added.wait()
        z[0:1, at:at + SMALL] <<= c
        stored.set()
    stored.wait()
    return z


# a2lint: launch(N=65536)
@kernel()
def serial_32k(x: GMTensor, y: GMTensor, z: GMTensor, N: Var):
    a = Tensor(DT.half, [1, LARGE], Position.UB)
    b = Tensor(DT.half, [1, LARGE], Position.UB)
    c = Tensor(DT.half, [1, LARGE], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    added = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for tile in range(GetVecIdx(), CeilDiv(N, LARGE), GetVecNum()):
        at = tile * LARGE
        stored.wait()
        a <<= x[0:1, at:at + LARGE]
        b <<= y[0:1, at:at + LARGE]
        loaded.set()
        loaded.wait()
        add(c, a, b)
        added.set()
        added.wait()
        z[0:1, at:at + LARGE] <<= c
        stored.set()
    stored.wait()
    return z


# a2lint: launch(N=65536)
@kernel()
def double_32k(x: GMTensor, y: GMTensor, z: GMTensor, N: Var):
    a = DBuff(DT.half, [1, LARGE], Position.UB)
    b = DBuff(DT.half, [1, LARGE], Position.UB)
    c = DBuff(DT.half, [1, LARGE], Position.UB)
    slot = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(N, LARGE), GetVecNum()):
            at = tile * LARGE
            a[slot] <<= x[0:1, at:at + LARGE]
            b[slot] <<= y[0:1, at:at + LARGE]
            add(c[slot], a[slot], b[slot])
            z[0:1, at:at + LARGE] <<= c[slot]
            slot += 1
    return z


# a2lint: launch(N=64512)
@kernel()
def apart_32k(x: GMTensor, y: GMTensor, z: GMTensor, N: Var):
    a = DBuff(DT.half, [1, APART], Position.UB)
    shift = Tensor(DT.half, [1, 128], Position.UB)
    b = DBuff(DT.half, [1, APART], Position.UB)
    c = DBuff(DT.half, [1, APART], Position.UB)
    slot = Var(0)
    dup(shift, 0.0)                     # keeps `b` 256 bytes away from where it would meet `a`
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(N, APART), GetVecNum()):
            at = tile * APART
            end = Min(at + APART, N)
            a[slot][0:1, 0:end - at] <<= x[0:1, at:end]
            b[slot][0:1, 0:end - at] <<= y[0:1, at:end]
            add(c[slot], a[slot], b[slot])
            z[0:1, at:end] <<= c[slot][0:1, 0:end - at]
            slot += 1
    return z
