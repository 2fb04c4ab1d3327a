//! Python that is there to be too much.

use super::{KERNEL, analysed};

/// A text, and a few words of what is said of it; nothing where it is read.
const HOSTILE: &[(&str, &str)] = &[
    ("def f(m):\n    return f(m)\nf(1)", "nest too deeply"),
    (
        "class C:\n    @property\n    def x(self):\n        return self.x\nC().x",
        "nest too deeply",
    ),
    (
        "class C:\n    def __getitem__(self, at):\n        return self[at]\nC()[0]",
        "nest too deeply",
    ),
    (
        "def d(f):\n    return d(f)\n@d\ndef g():\n    pass",
        "nest too deeply",
    ),
    ("f = lambda g: g(g)\nf(f)", "nest too deeply"),
    (
        "def gen():\n    while True:\n        yield 1\nmax(gen())",
        "steps",
    ),
    (
        "import itertools\nx = list(itertools.product([1, 2], repeat=1000000000))",
        "items or more",
    ),
    (
        "import itertools\nx = list(itertools.product(repeat=1000000000))",
        "steps",
    ),
    ("s = 'a'\nwhile True:\n    s = f'{s}{s}'", "steps"),
    ("x = [0]\nwhile True:\n    x = x + x", "steps"),
    (
        "x = []\nx.append(x)\ny = x == x\nz = f'{x}'\ns = sorted([x, x])",
        "",
    ),
    ("d = {}\nd['d'] = d\ny = d == d", ""),
    ("class C:\n    pass\nc = C()\nc.c = c\nx = c == c", ""),
    (
        "from functools import partial\nf = max\nfor i in unroll(100000):\n    f = partial(f)\n",
        "",
    ),
    (
        "from types import SimpleNamespace\nx = None\nfor i in unroll(100000):\n    x = SimpleNamespace(x=x)\n",
        "",
    ),
    (
        "import functools\n@functools.partial(functools.partial)\ndef f():\n    pass",
        "",
    ),
    ("class A(A):\n    pass", ""),
    (
        "import enum\nclass M(enum.Enum):\n    A = enum.auto()\n    B = A\nx = list(M)",
        "",
    ),
    (
        "x = sorted([1, 'a', None, (1, 2)])\ny = min([])\nz = [][0]\nw = {}['a']",
        "",
    ),
    ("a, *b, c, *d = [1]\n*e, = 5", ""),
    (
        "x = 'a'.replace('', 'b') * 5\ny = '{'.format(1)\nz = '{:99999999d}'.format(1)",
        "",
    ),
    (
        "x = 2 ** 10 ** 10\ny = 1 << 10 ** 10\nz = round(1e300) + int(1e300)",
        "",
    ),
    ("yield 1\nreturn 2\nraise ValueError", ""),
];

#[test]
fn too_much_is_a_named_outcome() {
    for (text, words) in HOSTILE {
        let analysis = analysed(&format!(
            "from easyasc.a2 import *\n{text}\n{}",
            KERNEL
                .replace("{before}", "")
                .replace("{line}", "n = 64")
                .replace("from easyasc.a2 import *", "")
        ));
        let reasons: Vec<&str> = analysis
            .not_analysed()
            .iter()
            .map(|it| it.reason.as_str())
            .collect();
        let said = reasons.iter().any(|reason| reason.contains(words));
        assert!(said || words.is_empty(), "{text}: {reasons:?}");
        assert!(
            reasons.is_empty() || !words.is_empty(),
            "{text}: {reasons:?}"
        );
        assert_eq!(analysis.module.programs.len(), 1, "{text}");
    }
    let mut deep = String::from("class A0:\n    x = 1\n");
    for at in 1..3000 {
        deep += &format!("class A{at}(A{}):\n    pass\n", at - 1);
    }
    let mut wide = String::from("class A0:\n    x = 1\n");
    for at in 1..60 {
        wide += &format!("class A{at}(A{0}, A{0}):\n    pass\n", at - 1);
    }
    for text in [deep, wide + "n = A59().x\n"] {
        analysed(&format!("from easyasc.a2 import *\n{text}"));
    }
}
