//! Objects that are changed through a value that is not known.

pub const SNIPPETS: &[&str] = &[
    "import time
A = [1]
B = A
r3 = A, 5
(A if time.time() > 0 else B).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
(A if time.time() > 0 else B).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
[A, B][int(time.time() * 0)].append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
(time.time() < 1 and B or A).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
def pick(v):
    if time.time() > 0:
        return A
    return v
pick(B).append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
if time.time() > 0:
    x = A
else:
    x = B
x.append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
x = B
for i in range(int(time.time() * 0) + 2):
    x.append(2)
    x = A",
    "import time
A = [1]
B = [2]
r3 = A, 5
x = {'a': A, 'b': B}
x['a' * int(time.time() * 0 + 1)].append(5)",
    "import time
A = [1]
B = [2]
r3 = A, 5
x = max(A, B, key=lambda v: time.time() * 0 + v[0])
x.append(5)",
    "import time
A = [1]
r3 = A, 5
class U3:
    v = int(time.time() * 0) + 9
    def __lt__(self, o): return self.v < o.v
u3 = U3()
r4 = u3 < U3()
if u3.v > 0:
    u3.w = 3
A.append(3)",
    "import time
A = [1]
r3 = A, 5
class U3:
    v = int(time.time() * 0) + 9
    def __lt__(self, o): return self.v < o.v
u3 = U3()
r4 = u3 < U3()
A.append(3)",
    "import time
A = [1]
r3 = A, 5
class U3:
    v = int(time.time() * 0) + 9
    def __lt__(self, o): return self.v < o.v
try:
    u3 = U3()
    r4 = u3 < U3()
    A.append(3)
except ValueError:
    x = 1
else:
    x = 2",
    "import time
A = [1]
r3 = A, 5
class U3:
    w = 3
    v = int(time.time() * 0) + 9
try:
    u3 = U3()
    if u3.v > 0:
        u3.w = 3
    N = u3.w
except ValueError:
    x = 1
else:
    x = 2
q = A",
    "try:
    import time
    class U3:
        v = int(time.time() * 0) + 9
        def __init__(self): self.x = self.v
    u3 = U3()
    if u3.x > 0:
        u3.w = 3
except (ValueError, LookupError):
    y3 = 3",
];
