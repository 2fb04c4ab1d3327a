# an `assert` that fails while the kernel is traced: an exception, or the way to a handler.
from easyasc.a2 import *


def whole(tile, step):
    assert tile % step == 0, "whole steps"
    return tile


def whole_or(tile, step, otherwise):
    try:
        return whole(tile, step)
    except AssertionError:
        return otherwise


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def fails(x: GMTensor, y: GMTensor):  #~ VERDICT fails.bounds: open
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = 64
    assert rows % 48 == 0, "whole steps"
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def helper_fails(x: GMTensor, y: GMTensor):  #~ VERDICT helper_fails.bounds: open
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = whole(64, 48)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def is_caught(x: GMTensor, y: GMTensor):  #~ VERDICT is_caught.bounds: open
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = whole_or(64, 48, 48)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def holds(x: GMTensor, y: GMTensor):  #~ VERDICT holds.bounds: holds
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = whole(64, 32)
    assert rows == 64
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def holds_in_try(x: GMTensor, y: GMTensor):  #~ VERDICT holds_in_try.bounds: holds
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = whole_or(64, 32, 48)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y
