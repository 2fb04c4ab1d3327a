//! Lists, dictionaries and slices: aliases, changes during a loop, copies, sorting.

pub const SNIPPETS: &[&str] = &[
    "a = [1, 2]
b = a
a = a + [3]
r = b
a += [4]
b += [5]
s = a, b",
    "a = [[]] * 3
a[0].append(1)
r = a
b = [[] for _ in range(3)]
b[0].append(1)
s = b",
    "t = ([1],)
try:
    t[0] += [2]
except TypeError:
    r = t",
    "a = [1, 2, 3, 4]
for x in a:
    if x % 2 == 0: a.remove(x)
    if len(a) > 10: break
r = a",
    "a = [1, 2, 3]
for i, x in enumerate(a):
    if i < 3: a.append(x * 10)
r = a",
    "d = {1: 'a'}
try:
    for k in d: d[k + 1] = 'b'
except RuntimeError:
    r = 'changed'
s = len(d)",
    "r = 'abc'[::-1], 'abcdef'[1:5:2], [1, 2, 3][-2:], (1, 2, 3)[::2], 'abc'[5:], list(range(10))[8:2:-3]",
    "import copy
class C:
    def __init__(self): self.a = [1]; self.me = self
    def __copy__(self): return 'cp'
c = C()
r = copy.copy(c)
d = {'x': [1], 'y': None}
d['y'] = d['x']
e = copy.deepcopy(d)
e['x'].append(2)
s = e, d",
    "r = sorted(['b', 'A', 'c'], key=str.lower), sorted([3, 1, 2], key=lambda x: -x), max(['aa', 'b'], key=len), min((2, 'b'), (2, 'a')), sorted({'b': 1, 'a': 2}), list(map(str.upper, ['a'])), list(map(int, '12')), sum(map(len, ['ab', 'c']))",
    "r = list(zip('ab', range(5), [9, 8])), dict(zip('ab', [1, 2])), list(enumerate('ab', 1)), list(filter(None, [0, 1, '', 'a'])), any(x > 2 for x in [1, 3]), all([]), list(reversed('abc')), [*map(lambda a, b: a + b, [1, 2], [3, 4])]",
    "x = [1, 2, 3]
def f(y): y = y + [4]; return y
def g(y): y[:] = [9]; return y
f(x)
r = x[:]
g(x)
s = x
x[1:1] = [5, 6]
del x[::2]
t = x",
    "l = [3, 1, 2]
s = l.sort()
r = s, l, sorted(l, reverse=True), l.pop(0), l.copy() is l
m = l
l = sorted(l)
l.append(7)
q = m, l",
];
