//! Loops, generators, exceptions, contexts, patterns.

pub const SNIPPETS: &[&str] = &[
    "r = str(OSError(2, 'm')), str(KeyError('x')), str(ValueError('a', 1)), str(ValueError()), repr(KeyError('x')), str(Exception(1))",
    "try:
    raise OSError(2, 'm')
except FileNotFoundError as e:
    r = e.errno, e.args
except OSError as e:
    r = 'other'",
    "g = (x for x in [1, 2, 3])
r = 2 in g, list(g)
it = iter([1, 2, 3, 4])
s = list(zip(it, it))",
    "def gen():
    try:
        x = yield 1
        yield x
    except ValueError:
        yield 'caught'
    finally:
        done.append(1)
done = []
g = gen()
r = next(g), g.send(7), done[:]
g.close()
s = done
g = gen(); next(g)
t = g.throw(ValueError)",
    "def gen():
    r = yield from sub()
    yield r
def sub():
    yield 1
    return 9
r = list(gen())",
    "def f():
    for i in range(3):
        try:
            if i == 1: continue
            if i == 2: break
        finally:
            log.append(i)
    else:
        log.append('else')
log = []
f()
r = log",
    "try:
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise ValueError('x') from e
except ValueError as e2:
    r = str(e2), type(e2.__cause__).__name__, e2.args
try:
    e
except NameError:
    s = 'gone'",
    "class E1(Exception):
    def __init__(self, a, b): super().__init__(a); self.b = b
class E2(E1): pass
try:
    raise E2(1, 2)
except (KeyError, E1) as e:
    r = e.b, e.args, str(e), type(e).__name__",
    "class E(Exception):
    def __str__(self): return 'mine'
try: raise E(1)
except E as e: r = str(e), f'{e}', e.args
try: raise E
except E as e: s = e.args",
    "class CM:
    def __init__(self, s): self.s = s
    def __enter__(self): log.append('in'); return self
    def __exit__(self, t, v, tb): log.append(t.__name__ if t else None); return self.s
log = []
with CM(True) as c:
    raise KeyError('k')
with CM(False): pass
try:
    with CM(False): raise ValueError
except ValueError: log.append('out')
r = log",
    "from contextlib import contextmanager
@contextmanager
def cm(x):
    log.append('a')
    try:
        yield x
    except ValueError:
        log.append('v')
    finally:
        log.append('z')
log = []
with cm(3) as y: log.append(y)
with cm(4): raise ValueError
r = log, cm.__name__",
    "m = {'a': 1, 'b': {'c': [1, 2, {'d': 3}]}}
match m:
    case {'b': {'c': [x, *_, {'d': y}]}, **rest}: r = x, y, rest
match (1, 2, 3):
    case (a, b): s = 2
    case (a, *b) if len(b) > 5: s = 5
    case [a, *b]: s = a, b
class P:
    __match_args__ = ('x', 'y')
    def __init__(self, x, y): self.x, self.y = x, y
match P(1, 2):
    case P(1, y=z): t = z
match 'x':
    case 'a' | 'x' as q: u = q",
    "try:
    [1, 2].index(3)
except ValueError as e:
    r = type(e).__name__
try:
    {}['k']
except KeyError as e:
    s = str(e), e.args, repr(e)
try:
    int('x')
except ValueError as e:
    t = isinstance(e, Exception)
try:
    raise StopIteration(5)
except StopIteration as e:
    u = e.value
try:
    assert 0, 'msg'
except AssertionError as e:
    v = str(e)",
    "def f():
    yield 1
    return 2
g = f()
next(g)
try:
    next(g)
except StopIteration as e:
    r = e.value
s = next(g, 'end')",
    "a, (b, *c), d = 1, (2, 3, 4), 5
[e, f] = {6: 1, 7: 2}
(g, h), = [(8, 9)]
i = j = k = []
i.append(1)
r = a, b, c, d, e, f, g, h, k
x = 5
x, y = x + 1, x
l = [0, 1, 2]
z = 0
z, l[z] = 1, 9
s = x, y, l",
    "while True:
    try:
        break
    finally:
        r = 1
else:
    r = 2
for i in []: pass
else: s = 'e'
n = 0
while n < 3:
    n += 1
    if n == 2: continue
else:
    t = n",
    "e = OSError('only')
f = FileNotFoundError(2, 'msg')
r = str(e), e.args, str(f), f.args, isinstance(f, OSError)
g = PermissionError(13, 'x', 'file')
s = g.args",
    "class E(OSError): pass
r = str(E(1, 'a')), E(1, 'a').args, str(E('x'))
class K(KeyError): pass
s = str(K('q')), repr(K('q'))
class KeyErr(Exception): pass
t = str(KeyErr('q'))",
    "def gen(n):
    if n > 0:
        yield n
        yield from gen(n - 1)
r = sum(gen(30))
def walk(t):
    for x in t:
        if isinstance(x, list): yield from walk(x)
        else: yield x
s = list(walk([1, [2, [3, [4]]]]))",
    r#"import contextlib
@contextlib.contextmanager
def cm(): 
    "d"
    yield 1
r = cm.__name__, cm.__wrapped__.__name__
cm.x = 1
s = cm.x, hasattr(cm.__wrapped__, 'x')"#,
];
