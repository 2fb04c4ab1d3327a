//! Text and numbers.

pub const SNIPPETS: &[&str] = &[
    "try:
    r = len(range(2**70))
except OverflowError:
    r = 'over'
s = len(range(2**60))",
    "import math
r = math.comb(10, 3), math.factorial(10), math.perm(5, 2), math.perm(4), math.comb(3, 5), math.factorial(0)
try:
    math.factorial(-1)
except ValueError:
    s = 1",
    r#"x = 5
n = 'a'
r = f"{x=}", f"{n=}", f"{x = }", f"{n=!s}", f"{x=:03d}", f"{x+1=}", f'a{x=}b'"#,
    "x, n, f = 255, 'ab', 3.14159
r = f'{x:#x} {x:08b} {x:>6}|{x:<6}|{x:^7}|{x:+d}|{x:_}|{x:,}|{-x:05d}', f'{n:*^8}|{n!r:>6}', f'{f:.2f} {f:8.3f} {f:e} {f:g} {f:.0f} {f!s:.4}', f'{x:{n and 6}d}'",
    "r = '%5d|%-5s|%05.1f|%x|%%|%r|%s' % (3, 'a', 2.55, 255, 'q', [1]), '%(a)s-%(b)02d' % {'a': 1, 'b': 2}, '%s' % (1,), '%c%c' % ('a', 98)",
    "r = '{0[1]} {1.real} {k[a]}'.format([1, 2], 3, k={'a': 5}), '{:>{w}}'.format('x', w=4), '{!r}'.format('a'), '{{}}'.format()",
    r#"r = 'a,b,,c'.split(','), ' a  b '.split(), 'abc'.partition('b'), 'aXbXc'.rsplit('X', 1), 'abc'.center(7, '*'), 'a\tb'.expandtabs(4), 'hello'.translate({104: 'j'}), 'x'.join('abc')"#,
    r#"r = int.from_bytes(b'\x01\x02', 'big'), (5).to_bytes(2, 'little'), bytes([1, 2])[0], bytearray(b'a')[0], b'a' + b'b' == b'ab', (10).bit_length(), hex(255), 0xff, 1_000"#,
    r#"x = {'a': 1}
y = 2
r = f"{x['a']=}", f"{y=:>5}", f"{y = !r}", f"{ y = }", f"{(lambda: 3)()=}""#,
];
