"""Numbers, flags and shapes of the wrong kind."""
from easyasc.a2 import *


@kernel()
def scalars(x: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, 64], Position.UB)
    scale = Var(1.5)
    tiles = CeilDiv(1.5, 2)  #~ ERROR trace-error: TypeError: CeilDiv() wants an int or a Var, not 'float'
    rows = Align16(scale)  #~ ERROR trace-error: TypeError: Align16() wants an integer, not a float
    done = SEvent(Pipe.V, Pipe.MTE3, preset=1)  #~ ERROR trace-error: TypeError: `preset` is a bool, not 'int'
    ws = split_workspace(DT.half, 64)  #~ ERROR trace-error: TypeError: the shape is a list, not 'int'
    with auto_sync():
        t <<= x[0:64, 0:64]
        t <<= t / 0  #~ ERROR trace-error: ZeroDivisionError: division by zero
        t <<= 1.0 - t  #~ ERROR trace-error: TypeError: unsupported operand type(s) for -: 'float' and 'Tensor'
        t <<= M / t  #~ ERROR trace-error: TypeError: unsupported operand type(s) for /: 'Var' and 'Tensor'
        y[0:64, 0:64] <<= t

    return y
