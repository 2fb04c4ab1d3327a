# A file that imports the facade as a module writes its names with it
import easyasc.a2 as ea

@ea.kernel(mode="vec")
def cleared(x: ea.GMTensor, y: ea.GMTensor, N: ea.Var):
    u = ea.Tensor(ea.DT.float, [4, 64], ea.Position.UB)
    a = ea.Tensor(ea.DT.float, [4, 64], ea.Position.UB)
    with ea.auto_sync():
        for t in ea.range(ea.GetVecIdx(), N, ea.GetVecNum()):
            ea.muls(a, a, 0.0)  # start  #~ ERROR zero-by-multiply: muls() does not clear `a` [4,64]
            u <<= x[t * 4:t * 4 + 4, 0:64]
            ea.add(a, a, u)
            y[t * 4:t * 4 + 4, 0:64] <<= a
    return y
