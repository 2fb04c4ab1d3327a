//! Functions: arguments and defaults, attributes, closures, decorators, caches, recursion.

pub const SNIPPETS: &[&str] = &[
    r#"import functools
def deco(f):
    @functools.wraps(f)
    def inner(*a): return f(*a)
    return inner
@deco
def g(): "doc"; return 5
r = g.__name__, g(), g.__wrapped__.__name__, g.__doc__"#,
    "import functools
def f(): pass
def g(): pass
f.mark = 3
functools.update_wrapper(g, f)
r = g.__name__, g.mark, g.__wrapped__ is f
f.mark = 4
s = g.mark",
    "def f(a, b=1): return a + b
f.__defaults__ = (5,)
r = f(1)",
    "def f(a, *, b=1): return a + b
f.__kwdefaults__['b'] = 7
r = f(1)",
    "def f(): return 1
def g(): return 2
f.__code__ = g.__code__
r = f()",
    "def f(): return 1
f.__name__ = 'h'
r = f.__name__
f.x = [1]
f.x.append(2)
s = f.x, f.__dict__
f.__dict__['y'] = 5
t = f.y, hasattr(f, 'z'), hasattr(f, 'y')
del f.y
u = hasattr(f, 'y')",
    "from functools import partial
def f(*a, **k): return a, k
p = partial(f, 1, x=1)
q = partial(p, 2, x=2, y=3)
r = q(3), q.args, q.func is f, q.keywords, p.keywords, q(4, y=9)
q.keywords['z'] = 1
s = q(), p()",
    "def deep(n): return 0 if n == 0 else 1 + deep(n - 1)
r = deep(150)",
    "def fib(n, memo={}):
    if n in memo: return memo[n]
    if n < 2: return n
    memo[n] = fib(n - 1) + fib(n - 2)
    return memo[n]
r = fib(90)",
    "import functools
@functools.lru_cache(maxsize=1)
def f(x):
    log.append(x)
    return x
log = []
f(1); f(2); f(1)
r = log
f.cache_clear()
f(1)
s = log",
    "import functools
n = []
@functools.lru_cache(None)
def f(x, a=1): n.append(x); return x
f(1); f(1.0); f(True); f(x=1); f('x', 1); f(1, a=1); f(1, 1)
r = len(n)",
    "def f(x, acc=[]):
    acc.append(x)
    return acc
r = f(1), f(2), f(3, []), f(4)",
    "def outer():
    xs = []
    for i in range(3):
        def g(): return i
        xs.append(g)
    return [g() for g in xs]
r = outer()
s = [f() for f in [lambda: i for i in range(3)]]",
    "def counter():
    n = 0
    def inc():
        nonlocal n
        n += 1
        return n
    def get(): return n
    return inc, get
i, g = counter()
i(); i()
r = g()",
    "def twice(f):
    def inner(*a, **k): return f(f(*a, **k))
    return inner
def plus(n):
    def d(f): return lambda x: f(x) + n
    return d
@twice
@plus(10)
def g(x): return x * 2
r = g(1), g.__name__",
    "def register(name):
    def d(f): T[name] = f; return f
    return d
T = {}
@register('a')
def f1(): return 1
@register('b')
class K: v = 2
r = T['a'](), T['b'].v, list(T)",
    "def f(a, /, b, *, c=3, **k): return a, b, c, k
r = f(1, 2), f(1, b=2, c=4, a=5), f(*[1], **{'b': 2, 'z': 1})
try: f(1, 2, 3)
except TypeError: s = 1
try: f(a=1, b=2)
except TypeError: t = 1
try: f(1, 2, b=3)
except TypeError: u = 1",
    "def f(n):
    if n: return f
    return None
class T:
    def __init__(self): self.d = {}
    def __enter__(self): return self.d
    def __exit__(self, *a): self.d['closed'] = True
t = T()
with t as d: d['k'] = 1
r = t.d, f(1) is f, f(0)",
    "def f(**kw): return kw
d = {'a': 1}
k = f(**d)
k['b'] = 2
def g(*a): return a
l = [1]
r = d, k, g(*l, *l), f(**d, c=3)
try: f(**d, a=3)
except TypeError: s = 1",
    "state = {'n': 0}
def bump(by=1):
    state['n'] += by
    return state['n']
r = [bump(), bump(2), bump()], state
s = bump() if state['n'] > 100 else bump(10)
t = bump() and bump() or bump()
u = state['n']",
    "import functools
def deco(f):
    def inner(*a): return f(*a)
    return functools.update_wrapper(inner, f, assigned=('__doc__',))
@deco
def g(): return 5
r = g.__name__",
    "import functools
def deco(f):
    @functools.wraps(f)
    def inner(*a): inner.calls += 1; return f(*a)
    inner.calls = 0
    return inner
@deco
def g(x): return x
g(1); g(2)
r = g.calls, g.__wrapped__(3), g.calls",
    "f = lambda: 1
f.x = 2
r = f.x, f.__name__
f.__name__ = 'q'
s = f.__name__
g = f
g.x = 3
t = f.x",
    "def f(x, acc=[]):
    acc.append(x); return acc
f(1)
r = f.__defaults__
f.__defaults__[0].append(9)
s = f(2)",
    "def outer():
    x = 1
    def inner(): return x
    inner.__closure__[0].cell_contents = 5
    return inner(), x
r = outer()",
    "from functools import partial
p = partial(int, base=2)
r = p('101'), p('11', base=3)
class C:
    m = partial(max, 5)
s = C().m(3), C.m(9)
q = partial(p)
t = q.func is int, q.keywords",
    "from functools import partial
def f(*a, **k): return a, k
p = partial(f, 1)
p.note = 'x'
q = partial(p, 2)
r = q.func is f, q(3), p.note",
    "from functools import partialmethod, reduce, cmp_to_key
class C:
    def set(self, a, b): return a, b
    s1 = partialmethod(set, 1)
r = C().s1(2)
s = sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a))
t = reduce(lambda a, b: a * b, [1, 2, 3], 10)",
    "import sys
def ack(m, n):
    if m == 0: return n + 1
    if n == 0: return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
r = ack(2, 10)
def f(n):
    try:
        return f(n + 1)
    except RecursionError:
        return 'deep'
s = f(0)",
    "import functools
@functools.lru_cache
def f(a, b=2): calls.append((a, b)); return a
calls = []
f(1); f(1, 2); f(1, b=2); f(a=1); f(b=2, a=1); f(a=1, b=2)
r = calls
f.cache_clear(); f(1)
s = len(calls)
try: f([])
except TypeError: t = 'unh'",
    "import functools
class C:
    def __init__(self): self.n = 0
    @functools.lru_cache(maxsize=None)
    def m(self, k): self.n += 1; return k
c = C()
c.m(1); c.m(1); c.m(2); C().m(1)
r = c.n",
    "def f(): pass
f.a = f
r = f.a.a is f, f.__dict__['a'] is f
def g(): return g.n
g.n = 4
s = g()
vars(g)['n'] = 5
t = g()",
    "def make():
    def f(): f.count += 1; return f.count
    f.count = 0
    return f
a, b = make(), make()
a(); a(); b()
r = a.count, b.count
if a.count > 1: a.count = 10
s = a.count
for q in range(2): b.count += q
t = b.count",
    "import types
def f(): return 1
g = types.FunctionType(f.__code__, globals(), 'g')
r = g()",
    "def f(a, b=1, *c, d=2, **e): return a
r = f.__code__.co_argcount, f.__code__.co_varnames[:2], f.__kwdefaults__
s = f(3)",
    "import copy
def f(): pass
f.x = [1]
g = copy.copy(f)
r = g is f
h = copy.deepcopy(f)
s = h is f",
];
