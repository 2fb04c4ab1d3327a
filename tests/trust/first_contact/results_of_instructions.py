# An instruction writes to its first argument and returns nothing; what uses its result is no second mistake
from easyasc.a2 import *


# a2lint: launch(M=100, x=half[100, 64], y=half[100, 64])
@kernel(mode="vec")
def moved(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 64], Position.UB)
    b = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            n = Min(64, M - row)
            a[0:n, 0:64] <<= x[row:row + n, 0:64]
            b <<= exp(a)  #~ ERROR trace-error: exp() is missing its argument `src`
            y[row:row + n, 0:64] <<= b[0:n, 0:64]
    return y


# a2lint: launch(M=128, x=half[128, 64], y=half[128, 64])
@kernel(mode="vec")
def named(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), M // 64, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            a = relu(a)  #~ ERROR trace-error: relu() is missing its argument `src`
            y[row:row + 64, 0:64] <<= a
    return y


# a2lint: launch(M=100, x=half[100, 64], y=half[100, 64])
@kernel(mode="vec")
def added(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 64], Position.UB)
    b = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        dup(b, 1.0)
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            n = Min(64, M - row)
            a[0:n, 0:64] <<= x[row:row + n, 0:64]
            a += b  #~ ERROR trace-error: `a` is sliced in line 45: `=` only names an expression
            y[row:row + n, 0:64] <<= a[0:n, 0:64]
    return y


# a2lint: launch(M=128, x=half[128, 64], y=half[128, 64])
@kernel(mode="vec")
def from_gm(x: GMTensor, y: GMTensor, M: Var):
    a = Tensor(DT.half, [64, 64], Position.UB)
    b = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        dup(a, 1.0)
        b <<= x + a  #~ ERROR trace-error: unsupported operand type(s) for +: 'GMTensor' and 'Tensor'
        y[0:64, 0:64] <<= b
    return y
