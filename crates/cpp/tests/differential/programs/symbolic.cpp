struct Box { int lo; int hi; int width() const { return hi - lo; } };
int sign(int x) { if (x < 0) return -1; if (x > 0) return 1; return 0; }
int clampi(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
int first_multiple(int from, int of, int limit) {
    for (int i = from; i < limit; i++) { if (i % of == 0) { return i; } }
    return -1;
}
int select(int k) { switch (k) { case 0: return 5; case 1: case 2: return 6; case 3: k += 1; default: k *= 3; } return k; }
int gcd(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }
int early(int a, int b) { int r = 1; if (a > 2) { r = 2; if (b > 3) { return r + 40; } r = 3; } r += 10; if (b == 0) return r; return r * 2; }
struct Guard { int &log; Guard(int &l) : log(l) {} ~Guard() { log = log * 3 + 1; } };
int guarded(int a, int &log) { Guard g(log); if (a > 1) { Guard h(log); return log; } log += 2; return log; }
void program() {
    int a = in(0), b = in(1), c = in(2), d = in(3);
    out("sum", a + b * 3);
    out("sign", sign(a) * 100 + sign(d));
    out("clamp", clampi(a, 2, 9));
    int x = 5;
    if (a > b) { x = a; } else if (a == b) { x = 100; }
    out("if", x);
    int count = 0;
    for (int i = 0; i < c; i++) { if (i % 3 == 1) continue; if (i > 30) break; count += i; }
    out("for", count);
    out("first", first_multiple(b, 7, c));
    out("select", select(a) * 1000 + select(b & 3));
    out("gcd", gcd(c, b + 50));
    out("early", early(a, b) * 100 + early(b, c));
    int log = 1;
    int g = guarded(a, log);
    out("guard", g * 1000 + log);
    Box box{a, b};
    if (box.hi < box.lo) { std::swap(box.lo, box.hi); }
    out("box", box.width());
    int n = 0, m = c;
    while (m > 0) { m /= 2; n++; if (n == 3 && a > 0) break; }
    out("while", n * 100 + m);
    do { n += 4; } while (n < a);
    out("do", n);
    for (unsigned i = 0; i < (unsigned)(c & 15); i += 2) { out("step", i * 2 + x); x++; }
    out("x", x);
    for (int i = c & 15; i >= 0; --i) { if (i == b) { out("down", i); } }
    uint8_t small = a;
    small += 250;
    out("small", small);
    out("umix", (unsigned)a > 5u);
    out("and", a > 0 && b / (a == 0 ? 1 : a) > 1);
    out("or", a == 0 || c / a > 3);
    int safe = 0;
    if (a != 0 && c % a == 0) safe = 1;
    out("safe", safe);
    float f = a;
    f = f * 0.5f + b;
    out("float", f);
    out("fcmp", f > 3.0f ? 1 : 2);
    int arr[4] = {1, 2, 3, 4};
    arr[a & 3] = 50;
    out("arr", arr[0] + arr[1] * 2 + arr[2] * 3 + arr[3] * 5 + arr[b & 3]);
    int *p = &a;
    if (b > 2) { *p = 77; }
    out("ptr", a);
    auto bump = [&](int k) { if (k > 3) { d += k; return 1; } d -= k; return 0; };
    out("lambda", bump(b) + bump(c) * 10 + d * 100);
    for (int i = 0; i < 3; i++) { for (int j = 0; j < (b & 7); j++) { if (j == i + 1) break; d += i * j; if (d > 500) { d = 0; } } }
    out("nest", d);
    long long big = 1;
    for (int i = 0; i < (c & 7); ++i) { big = big * 1000003 + i; }
    out("big", big);
    int state = 0;
    for (int i = 0; i < 40; i++) { switch (state) { case 0: state = (i + b) % 3; break; case 1: if (c > 50) { state = 2; continue; } state = 0; break; default: out("tick", i); state = i & 1; } if (i > (a & 31)) break; }
    out("state", state);
    bool found = false;
    for (int i = 0; i < 20 && !found; i++) { for (int j = 0; j < i; j++) { if (i * j == b) { found = true; out("found", i * 100 + j); break; } } }
    out("min", std::min(a, b) + std::max(c, d));
}
