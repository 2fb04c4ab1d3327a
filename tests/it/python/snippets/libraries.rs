//! Standard libraries.

pub const SNIPPETS: &[&str] = &[
    "from math import *
r = floor(2.5), int(sqrt(16)), pi > 3, pow(2, 3)",
    "from operator import itemgetter, attrgetter, methodcaller
r = sorted([(2, 'a'), (1, 'b')], key=itemgetter(0)), itemgetter(1, 0)('xy'), itemgetter('k')({'k': 3})
class C:
    def __init__(self, a): self.a = a; self.b = self
    def m(self, k): return self.a + k
s = attrgetter('a')(C(1)), attrgetter('b.a', 'a')(C(2)), methodcaller('m', 5)(C(3)), methodcaller('m', k=5)(C(3))",
    "from collections.abc import Sequence, Mapping, Iterable, Callable, Hashable, Iterator
vals = [1, 's', (1,), [1], {}, {1}, range(3), None, len, lambda: 1, iter([]), 1.5, frozenset()]
r = [[isinstance(v, c) for c in (Sequence, Mapping, Iterable, Callable, Hashable, Iterator)] for v in vals]",
    "import collections
r = isinstance([], collections.abc.MutableSequence), isinstance((), collections.abc.Collection), isinstance({}, collections.abc.MutableMapping)",
    "from collections import defaultdict
d = defaultdict(list)
d['a'].append(1)
d['b'].append(2)
d['a'].append(3)
r = dict(d), len(d), 'a' in d, 'c' in d, sorted(d), [k for k in d], list(d.items()), d.get('z'), list(d.values())
d['c']
s = len(d), d['a'], d == {'a': [1, 3], 'b': [2], 'c': []}, isinstance(d, dict)",
    "from collections import defaultdict
d = defaultdict(int)
for c in 'hello': d[c] += 1
r = dict(d), sum(d.values()), max(d, key=d.get), d.pop('h'), dict(d)",
    "from collections import Counter
c = Counter('hello')
r = c['l'], c['z'], c.most_common(1), sorted(c.elements()), sum(c.values()), dict(c), len(c)
c.update('hh')
s = c['h']",
    "from collections import deque
d = deque([1, 2, 3])
d.append(4); d.appendleft(0); d.rotate(1)
r = list(d), d.pop(), d.popleft(), len(d), d[0], 2 in d, [x for x in d]
e = deque([1, 2, 3], maxlen=2)
e.append(9)
s = list(e), e.maxlen",
    "from types import SimpleNamespace
n = SimpleNamespace(a=1)
n.b = n.a + 1
r = n.b, vars(n), n == SimpleNamespace(a=1, b=2)",
    "from collections import namedtuple, OrderedDict, ChainMap
P = namedtuple('P', 'x y', defaults=[5])
p = P(1)
r = p, p.y, p._asdict(), p._replace(x=3), P._fields, p[0], [*p], p == (1, 5), P._make([7, 8]).x, repr(p)
o = OrderedDict(a=1, b=2)
o.move_to_end('a')
s = list(o)",
    "import itertools
r = list(itertools.groupby([1, 1, 2], key=lambda x: x % 2))[0][0], [(k, list(g)) for k, g in itertools.groupby('aab')], list(itertools.tee([1, 2])[1]), list(itertools.combinations('abc', 2)), list(itertools.product('ab', repeat=2))[1], list(itertools.zip_longest('a', 'bc', fillvalue='-'))",
    "from math import *
from operator import *
r = floor(3.7), add(1, 2), e > 2, gcd(12, 8), hypot(3, 4)
s = abs(-3)",
    "from operator import attrgetter, itemgetter
class P:
    def __init__(self, a, b): self.a, self.b = a, b
ps = [P(2, 'x'), P(1, 'y')]
r = [p.b for p in sorted(ps, key=attrgetter('a'))], max(ps, key=attrgetter('a', 'b')).b
try: itemgetter(5)([1])
except IndexError: s = 'i'
try: attrgetter('zz')(ps[0])
except AttributeError: t = 'a'
u = itemgetter(slice(0, 2))([1, 2, 3])",
    "import collections.abc as ca
class It:
    def __iter__(self): return iter([])
class Sz:
    def __len__(self): return 0
r = isinstance(It(), ca.Iterable), isinstance(Sz(), ca.Sized), isinstance(It(), ca.Sequence), isinstance('a', (ca.Mapping, ca.Sequence)), isinstance(len, ca.Callable), isinstance(It, ca.Callable)
s = isinstance((x for x in []), ca.Iterator), isinstance(iter([]), ca.Iterable), isinstance({}.keys(), ca.Set)",
];
