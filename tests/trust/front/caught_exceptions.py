# an exception that a handler may catch is no mistake of the kernel.
from easyasc.a2 import *


def item(items, at, otherwise):
    try:
        return items[at]
    except IndexError:
        return otherwise


def pair(items):
    try:
        first, second = items
        return first
    except ValueError:
        return 48


def bare(items, at):
    return items[at]  #~ ERROR trace-error: list index 1 is out of range


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def out_of_range(x: GMTensor, y: GMTensor):  #~ VERDICT out_of_range.bounds: open
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = item([64], 1, 48)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def in_range(x: GMTensor, y: GMTensor):  #~ VERDICT in_range.bounds: holds
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = item([64], 0, 48)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def three_for_two(x: GMTensor, y: GMTensor):  #~ VERDICT three_for_two.bounds: open
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = pair([64, 2, 3])
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def two_for_two(x: GMTensor, y: GMTensor):  #~ VERDICT two_for_two.bounds: holds
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = pair([64, 2])
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y


# a2lint: launch(x=float[640, 64], y=float[640, 64])
@kernel(mode="vec")
def uncaught(x: GMTensor, y: GMTensor):  #~ VERDICT uncaught.bounds: open
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    rows = bare([64], 1)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            mul(b, a, a)
            y[row:row + rows, 0:64] <<= b[0:rows, 0:64]
    return y
