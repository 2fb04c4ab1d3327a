//! Names of modules, and the ways to the own module.

pub const SNIPPETS: &[&str] = &[
    "import sys
W = 1
setattr(sys.modules[__name__], 'W', 2)
r = W",
    "import sys
W = 1
sys.modules[__name__].__dict__['W'] = 2
r = W",
    "import sys
W = 1
vars(sys.modules['__main__']).update(W=2)
r = W",
    "W = 1
globals().update(W=2)
r = W",
    "import importlib
W = 1
importlib.import_module(__name__).W = 2
r = W",
    "import sys
W = 1
m = sys.modules
m.get(__name__).W = 2
r = W",
    "g = globals
W = 1
g()['W'] = 2
r = W",
    "import builtins
W = 1
builtins.globals()['W'] = 2
r = W",
    "def f(): pass
W = 1
f.__globals__['W'] = 2
r = W",
    "import sys
W = 1
sys._getframe().f_globals['W'] = 2
r = W",
    "import inspect
W = 1
inspect.currentframe().f_globals['W'] = 2
r = W",
    "W = 1
__import__(__name__).W = 2
r = W",
    "import __main__
W = 1
r = W",
    "W = 1
[*map(exec, ['W = 2'])]
r = W",
    "x = 10
def f():
    try:
        return x
    finally:
        globals()['x'] = 11
r = f(), x",
    "x = 1
def f():
    r = []
    try:
        r.append(x)
    except UnboundLocalError:
        r.append('u')
    x = 2
    return r
r = f()",
    "class C:
    x = 1
    ys = [x for _ in range(2)] if False else [1]
    def f(self): return x
x = 5
r = C().f(), C.ys",
    "class C:
    n = 3
    xs = [i for i in range(n)]
try:
    class E:
        n = 3
        xs = [n for i in range(2)]
    r = E.xs
except NameError:
    r = 'ne'
s = C.xs",
    "x = 'o'
r = [x for x in range(3)], x
s = [y := 5, y * 2], y
t = [(z := i) for i in range(3)], z",
    "def f():
    x = 1
    class C:
        x = 2
        def g(self): return x
        y = x
    return C().g(), C.y
r = f()
x = 3
def h():
    global x
    x = 4
    def k():
        return x
    return k()
s = h(), x",
    "W = 1
class M:
    global W
    W = 5
r = W
def f():
    import math as mm
    return mm.floor(2.5)
s = f()
del W
try:
    W
except NameError as e:
    t = str(e)",
    "import sys
class Fake: W = 3
sys.modules['fakemod'] = Fake
import fakemod
r = fakemod.W",
    "import sys
W = 1
mod = sys.modules[__name__]
r = getattr(mod, 'W'), hasattr(mod, 'Q'), 'W' in vars(mod)
mod.W += 1
s = W
del mod.W
t = 'W' in globals()",
    "import sys
W = 1
def setup(): setattr(sys.modules[__name__], 'W', 5)
setup()
r = W",
    "W = 1
ns = globals()
ns.update({'W': 2, 'V': 3})
r = W, V, ns.get('W'), ns.get('nope', 4), ns['V']
ns.pop('V')
s = 'V' in ns",
    "import __main__
W = 1
__main__.W = 2
r = W",
    "from __main__ import __name__ as n
r = n",
    "x = 1
def f():
    exec('x = 5')
    return x
r = f()
exec('y = 3')
s = y
t = eval('x + 1')",
];
