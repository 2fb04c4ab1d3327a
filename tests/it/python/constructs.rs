//! Python constructs that compute a number.

/// Code before the kernel, and code in the kernel that sets `n`.
pub const CONSTRUCTS: &[(&str, &str)] = &[
    // Classes.
    ("class C:\n    rows = ROWS", "n = C.rows"),
    ("class C:\n    rows = ROWS", "n = C().rows"),
    (
        "class C:\n    rows = ROWS\n    half = rows // 2",
        "n = C.half * 2",
    ),
    (
        "class C:\n    def __init__(self, rows):\n        self.rows = rows",
        "n = C(ROWS).rows",
    ),
    (
        "class C:\n    def __init__(self, rows=1):\n        self.rows = rows",
        "n = C(rows=ROWS).rows",
    ),
    (
        "class C:\n    def rows(self):\n        return ROWS",
        "n = C().rows()",
    ),
    (
        "class C:\n    @property\n    def rows(self):\n        return ROWS",
        "n = C().rows",
    ),
    (
        "class C:\n    @staticmethod\n    def rows(k):\n        return k * ROWS",
        "n = C.rows(1)",
    ),
    (
        "class C:\n    base = ROWS\n    @classmethod\n    def rows(cls):\n        return cls.base",
        "n = C.rows()",
    ),
    (
        "class A:\n    rows = ROWS\nclass B(A):\n    pass",
        "n = B().rows",
    ),
    (
        "class A:\n    rows = 1\n    def get(self):\n        return self.rows\nclass B(A):\n    rows = ROWS",
        "n = B().get()",
    ),
    (
        "class A:\n    def __init__(self, n):\n        self.n = n\nclass B(A):\n    def __init__(self, n):\n        super().__init__(n)\n        self.m = 1",
        "n = B(ROWS).n",
    ),
    (
        "class C:\n    def __call__(self):\n        return ROWS",
        "n = C()()",
    ),
    (
        "class C:\n    def __getitem__(self, at):\n        return at * ROWS",
        "n = C()[1]",
    ),
    (
        "class C:\n    def __len__(self):\n        return ROWS",
        "n = len(C())",
    ),
    ("class C:\n    pass", "c = C()\nc.rows = ROWS\nn = c.rows"),
    ("class C:\n    rows = 1\nC.rows = ROWS", "n = C.rows"),
    (
        "import functools\nclass C:\n    @functools.cached_property\n    def rows(self):\n        return ROWS",
        "n = C().rows",
    ),
    // Dataclasses and their like.
    (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    rows: int = ROWS",
        "n = C().rows",
    ),
    (
        "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass C:\n    m: int\n    rows: int = 1",
        "n = C(2, ROWS).rows",
    ),
    (
        "from dataclasses import dataclass, field\n@dataclass\nclass C:\n    all: list = field(default_factory=lambda: [ROWS])",
        "n = C().all[0]",
    ),
    (
        "from dataclasses import dataclass\n@dataclass\nclass C:\n    m: int = 1\n    def __post_init__(self):\n        self.rows = self.m * ROWS",
        "n = C().rows",
    ),
    (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    m: int = 1\n@dataclass\nclass B(A):\n    rows: int = 2",
        "n = B(rows=ROWS).rows",
    ),
    (
        "import dataclasses\n@dataclasses.dataclass\nclass C:\n    rows: int = 1\nD = dataclasses.replace(C(), rows=ROWS)",
        "n = D.rows",
    ),
    (
        "from dataclasses import dataclass, asdict\n@dataclass\nclass C:\n    rows: int = ROWS",
        "n = asdict(C())['rows']",
    ),
    (
        "from collections import namedtuple\nT = namedtuple('T', 'rows columns')",
        "n = T(ROWS, 2).rows",
    ),
    (
        "from collections import namedtuple\nT = namedtuple('T', ['rows', 'columns'], defaults=(1,))",
        "n, m = T(ROWS)",
    ),
    (
        "from typing import NamedTuple\nclass T(NamedTuple):\n    rows: int = 1\n    m: int = 2",
        "n = T(ROWS)._replace(m=3).rows",
    ),
    (
        "from types import SimpleNamespace",
        "n = SimpleNamespace(rows=ROWS).rows",
    ),
    // Enumerations.
    (
        "from enum import Enum\nclass M(Enum):\n    FAST = ROWS\n    SLOW = 1",
        "n = M.FAST.value",
    ),
    (
        "from enum import IntEnum\nclass M(IntEnum):\n    FAST = ROWS",
        "n = M.FAST",
    ),
    (
        "from enum import Enum, auto\nclass M(Enum):\n    A = auto()\n    B = auto()",
        "n = {M.A: 1, M.B: ROWS}[M.B]",
    ),
    (
        "from enum import Enum\nclass M(Enum):\n    A = 'a'\n    B = 'b'",
        "n = ROWS if M('b') is M.B else 1",
    ),
    (
        "from enum import Enum\nclass M(Enum):\n    A = 1\n    B = ROWS",
        "n = max(m.value for m in M)",
    ),
    (
        "from enum import Enum\nclass M(Enum):\n    A = ROWS",
        "n = M['A'].value",
    ),
    // Functions.
    ("", "n = (lambda rows: rows * 2)(ROWS) // 2"),
    ("pick = lambda rows=ROWS: rows", "n = pick()"),
    (
        "def make(k):\n    def inner(m):\n        return k * m\n    return inner",
        "n = make(ROWS)(1)",
    ),
    ("fs = [lambda i=i: i for i in [1, ROWS]]", "n = fs[1]()"),
    (
        "def f(**options):\n    return options['rows']",
        "n = f(rows=ROWS, m=1)",
    ),
    (
        "def f(*all, rows=1):\n    return rows + sum(all)",
        "n = f(1, -1, rows=ROWS)",
    ),
    (
        "def f(a, rows):\n    return rows\noptions = dict(rows=ROWS)",
        "n = f(1, **options)",
    ),
    (
        "total = 0\ndef f():\n    global total\n    total = ROWS\nf()",
        "n = total",
    ),
    (
        "def f():\n    k = 1\n    def g():\n        nonlocal k\n        k = ROWS\n    g()\n    return k",
        "n = f()",
    ),
    (
        "def f(m):\n    return ROWS if m == 0 else f(m - 1)",
        "n = f(5)",
    ),
    ("import functools", "n = functools.partial(max, ROWS)(5)"),
    (
        "from functools import partial\ndef f(a, rows=1):\n    return rows",
        "n = partial(f, rows=ROWS)(1)",
    ),
    (
        "from functools import reduce",
        "n = reduce(lambda p, q: p * q, [ROWS, 1, 1])",
    ),
    (
        "import functools\n@functools.lru_cache(maxsize=None)\ndef f(m):\n    return m * ROWS",
        "n = f(1)",
    ),
    (
        "from functools import cache\n@cache\ndef f(m):\n    return m * ROWS",
        "n = f(1)",
    ),
    (
        "import functools\ndef plain(f):\n    @functools.wraps(f)\n    def inner(*args, **kw):\n        return f(*args, **kw)\n    return inner\n@plain\ndef rows(m):\n    return m * ROWS",
        "n = rows(1)",
    ),
    (
        "def times(k):\n    def outer(f):\n        return lambda m: k * f(m)\n    return outer\n@times(ROWS)\ndef one(m):\n    return m",
        "n = one(1)",
    ),
    (
        "TABLE = {}\ndef register(f):\n    TABLE[f.__name__] = f\n    return f\n@register\ndef rows():\n    return ROWS",
        "n = TABLE['rows']()",
    ),
    // Control flow.
    (
        "MODE = 2",
        "match MODE:\n    case 1:\n        n = 1\n    case 2:\n        n = ROWS\n    case _:\n        n = 3",
    ),
    (
        "MODE = 'b'",
        "match MODE:\n    case 'a':\n        n = 1\n    case 'b' | 'c':\n        n = ROWS",
    ),
    (
        "MODE = 7",
        "match MODE:\n    case 1:\n        n = 1\n    case m if m > 5:\n        n = ROWS\n    case _:\n        n = 2",
    ),
    (
        "MODE = ROWS",
        "match MODE:\n    case 1:\n        n = 1\n    case other:\n        n = other",
    ),
    (
        "try:\n    rows = ROWS\nexcept ImportError:\n    rows = 1",
        "n = rows",
    ),
    (
        "try:\n    raise ValueError('no')\nexcept ValueError:\n    rows = ROWS",
        "n = rows",
    ),
    (
        "try:\n    m = 1\nexcept ValueError:\n    rows = 1\nelse:\n    rows = ROWS\nfinally:\n    m = 2",
        "n = rows",
    ),
    (
        "def pick(m):\n    if m == 1:\n        return ROWS\n    raise ValueError(m)",
        "n = pick(1)",
    ),
    ("", "i = 1\nwhile i < ROWS:\n    i *= 2\nn = i"),
    ("", "n = ROWS if True else 1"),
    ("", "n = (m := ROWS)"),
    ("", "first, *rest = [1, 2, ROWS]\nn = rest[-1]"),
    ("", "*rest, last = [1, 2, ROWS]\nn = last"),
    // Generators and comprehensions.
    ("def gen():\n    yield 1\n    yield ROWS", "n = max(gen())"),
    ("def gen():\n    yield from [1, ROWS]", "n = list(gen())[1]"),
    (
        "def gen(m):\n    for i in [1, 2]:\n        yield i * m",
        "n = sum(gen(ROWS)) // 3",
    ),
    (
        "",
        "n = sum(p * q for p in [1, 2] for q in [ROWS] if p == 1)",
    ),
    ("", "n = {p: q for p, q in [('a', 1), ('b', ROWS)]}['b']"),
    ("", "n = max({p for p in [1, ROWS, ROWS]})"),
    (
        "",
        "n = [[q for q in [p, p * 2]] for p in [ROWS // 2]][0][1]",
    ),
    // Builtins.
    ("", "n = max(map(lambda p: p * 2, [1, ROWS // 2]))"),
    ("", "n = list(filter(lambda p: p > 5, [1, ROWS]))[0]"),
    ("", "n = sorted([ROWS, 1, 2], reverse=True)[0]"),
    (
        "",
        "n = sorted([('a', 1), ('b', ROWS)], key=lambda it: -it[1])[0][1]",
    ),
    ("", "n = list(reversed([ROWS, 2]))[1]"),
    ("", "n = dict(zip(['a', 'b'], [1, ROWS]))['b']"),
    (
        "",
        "n = [q for p, q in enumerate([1, ROWS], start=1) if p == 2][0]",
    ),
    ("", "n = ROWS if any([False, 1]) and all([1, True]) else 1"),
    ("", "n = divmod(ROWS * 3, 3)[0]"),
    ("", "n = int('ROWS')"),
    ("", "n = round(ROWS + 0.2)"),
    ("", "n = pow(ROWS, 1)"),
    ("", "n = len([0] * ROWS)"),
    ("", "n = len((0, 1) * (ROWS // 2))"),
    ("", "n = min([ROWS, 9000], key=lambda it: it)"),
    ("class C:\n    rows = ROWS", "n = getattr(C, 'rows')"),
    (
        "class C:\n    rows = 1",
        "n = getattr(C(), 'columns', ROWS)",
    ),
    (
        "class C:\n    rows = ROWS",
        "n = C.rows if hasattr(C, 'rows') and not hasattr(C(), 'm') else 1",
    ),
    (
        "def f(m):\n    return ROWS if isinstance(m, int) else 1",
        "n = f(3)",
    ),
    (
        "def f(m):\n    return ROWS if isinstance(m, (list, tuple)) else 1",
        "n = f((1,))",
    ),
    (
        "class A:\n    pass\nclass B(A):\n    pass",
        "n = ROWS if isinstance(B(), A) else 1",
    ),
    (
        "class C:\n    pass",
        "c = C()\nsetattr(c, 'rows', ROWS)\nn = c.rows",
    ),
    // Containers.
    ("", "d = {'m': 1}\nd.update(rows=ROWS)\nn = d['rows']"),
    ("", "d = {**{'rows': 1}, 'rows': ROWS}\nn = d['rows']"),
    ("", "n = ({'rows': 1} | {'rows': ROWS})['rows']"),
    ("", "n = {'m': 1}.get('rows', ROWS)"),
    ("", "d = {}\nd.setdefault('rows', ROWS)\nn = d.pop('rows')"),
    ("", "l = [3, ROWS]\nl.sort()\nl.insert(0, 1)\nn = l.pop()"),
    ("", "n = [1, 5, ROWS][[4, 5, 6].index(6)]"),
    ("", "n = ROWS if 'al' in 'half' and 3 not in (1, 2) else 1"),
    ("", "n = max({1, 2} | {ROWS})"),
    // Text.
    ("", "n = {'rows_2': ROWS}[f'rows_{1 + 1}']"),
    ("", "n = {'rows_02': ROWS}[f'rows_{2:02d}']"),
    ("", "n = {'rows_2': ROWS}['rows_{}'.format(2)]"),
    ("", "n = {'a-b': ROWS}['-'.join(['a', 'b'])]"),
    ("", "n = int('1,ROWS'.split(',')[1])"),
    (
        "",
        "n = ROWS if 'half'.startswith('ha') and 'A'.lower() == 'a' else 1",
    ),
    // Libraries.
    (
        "import itertools",
        "n = max(p * q for p, q in itertools.product([1, 2], [ROWS // 2]))",
    ),
    ("from itertools import chain", "n = max(chain([1], [ROWS]))"),
    (
        "import itertools",
        "n = list(itertools.chain.from_iterable([[1], [ROWS]]))[1]",
    ),
    (
        "from itertools import accumulate",
        "n = list(accumulate([1, ROWS, -1]))[-1]",
    ),
    (
        "import operator\nfrom functools import reduce",
        "n = reduce(operator.mul, [ROWS, 1])",
    ),
    ("import math", "n = math.prod([ROWS, 1]) * math.gcd(3, 4)"),
    ("from math import ceil, log2", "n = 2 ** ceil(log2(ROWS))"),
    ("import numpy as np", "n = int(np.sqrt(ROWS * ROWS))"),
    ("import numpy as np", "n = int(np.prod([ROWS, 1]))"),
    ("import numpy as np", "n = 2 ** int(np.log2(ROWS))"),
    (
        "import numpy as np",
        "n = ROWS * np.dtype('float16').itemsize // 2",
    ),
    ("import numpy as np", "n = int(np.ceil(ROWS / 3)) * 3"),
    ("import os", "n = int(os.environ.get('A2_ROWS', 'ROWS'))"),
    ("import os", "n = int(os.getenv('A2_ROWS', 'ROWS'))"),
    (
        "from typing import cast, Optional\nrows: Optional[int] = ROWS",
        "n = cast(int, rows)",
    ),
    ("import copy", "n = copy.deepcopy([ROWS])[0]"),
    ("import torch", "n = ROWS * torch.float16.itemsize // 2"),
];
