# The mutex is an attribute of a class: the missing free() is written with it
from easyasc.a2 import *

ROWS = 16
HALF = ROWS // 2
WIDTH = 64


class Pipeline:
    def __init__(self):
        self.ws = split_workspace(DT.float, [GetCubeNum(), 2, ROWS, WIDTH])
        self.bridge = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
        self.rows_in = DBuff(DT.float, [HALF, WIDTH], Position.UB)

    def give(self, acc, core, slot):
        self.bridge.lock()
        self.ws[core, slot, 0:ROWS, 0:WIDTH] <<= acc
        self.bridge.ready()

    def take(self, beat, core, slot, half):
        self.bridge.wait()  #~ ERROR mutex-protocol: `bridge.free()` is never called
        self.rows_in[beat] <<= self.ws[core, slot, half:half + HALF, 0:WIDTH]
        return self.rows_in[beat]


@kernel()
def piped(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):  #~ WARNING deadlock: no lane can go on
    l1_a = DBuff(DT.half, [ROWS, WIDTH], Position.L1)
    l1_b = Tensor(DT.half, [WIDTH, WIDTH], Position.L1)
    l0c = DBuff(DT.float, [ROWS, WIDTH], Position.L0C)
    rows_out = DBuff(DT.float, [HALF, WIDTH], Position.UB)
    pipe = Pipeline()
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * HALF)
    count = Var(0)
    l1_b <<= b[0:WIDTH, 0:WIDTH]
    bar_all()
    with auto_sync():
        for tile in range(core, M // ROWS, GetCubeNum()):
            row0 = Var(tile * ROWS)
            slot = Var(var_mod(count, 2))
            l1_a[count] <<= a[row0:row0 + ROWS, 0:WIDTH]
            matmul(l0c[count], l1_a[count], l1_b)
            pipe.give(l0c[count], core, slot)
            rows = pipe.take(count, core, slot, half)
            exp(rows_out[count], rows)
            y[row0 + half:row0 + half + HALF, 0:WIDTH] <<= rows_out[count]
            count += 1
    return y
