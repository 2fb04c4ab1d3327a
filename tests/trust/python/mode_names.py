# A mode that the dialect does not have is a name that nothing binds, as a value too.
import ascriptor.a2 as m

@m.kernel(mode="vec", block_dim=1)
def k(x: m.GM[m.f32, (8, 64)], y: m.GM[m.f16, (8, 64)]):
    u = m.Tensor(m.f32, [8, 64], m.Position.UB)
    h = m.Tensor(m.f16, [8, 64], m.Position.UB)
    with m.auto_sync():
        u <<= x
        m.cast(h, u, round_mode=m.RoundMode.RINT)  #~ ERROR unknown-name: has no `RINT`
        y <<= h
    return y
