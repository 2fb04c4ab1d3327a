// Expressions that name one of several objects, which the inputs choose: what is stored through them is not lost.
struct Span { int at; int len; void shrink(int by) { len -= by; } int end() const { return at + len; } };
struct Pair { int x[2] = {10, 20}; int &mine(int i) { return x[i & 1]; } int &operator[](int i) { return x[i & 1]; } };
struct Holder { int &r; };
struct Base { int tag = 1; virtual int id() const { return tag; } };
struct Derived : Base { int more = 5; int id() const override { return tag + 100 * more; } };
template <typename T> T &smaller(T &a, T &b) { return a < b ? a : b; }
template <typename T> const T &larger(const T &a, const T &b) { return a < b ? b : a; }
template <typename T> void set(T &&place, int value) { place = value; }
void add(int &place, int value) { place += value; }
int twice(const int &value) { return value * 2; }
void fill(int *place, int value) { *place = value; }
void program() {
    int a = in(0), b = in(1), c = in(2), d = in(3);
    // Elements.
    int l[3] = {a, b, c};
    int &mine = l[d & 1];
    mine -= 8;
    out("l0", l[0]); out("l1", l[1]); out("mine", mine);
    l[0] = 77;
    out("later", mine);
    const int &seen = l[c & 1];
    l[1] = 55;
    out("seen", seen + twice(seen));
    auto &&any = l[a & 1];
    any *= 3;
    out("any", l[0] * 1000 + l[1]);
    add(l[(b & 1) + 1], 5);
    set(l[b & 1], 9);
    fill(&l[a & 1], d);
    out("call", l[0] + l[1] * 7 + l[2] * 49);
    ++l[a & 1]; l[b & 1]++; int before = l[c & 1]--;
    out("step", l[0] + l[1] * 7 + l[2] * 49 + before * 1000);
    int m[2] = {1, 2}, n[2] = {3, 4};
    m[a & 1] = n[b & 1] = c;
    out("chain", m[0] + m[1] * 10 + n[0] * 100 + n[1] * 1000);
    int p = (m[a & 1] += 4);
    (m[b & 1] = 3) += 2;
    out("chained", p + m[0] * 10 + m[1] * 1000);
    uint8_t u[2] = {250, 1};
    uint8_t &v = u[a & 1];
    v += 10;
    out("small", u[0] * 256 + u[1]);
    int off[2] = {0, 100};
    for (int i = 0; i < (c & 7); i++) { int &o = off[i & 1]; o += d + i; }
    out("off", off[0] * 1000 + off[1]);
    // The arms of a condition.
    int x = a, y = b;
    int &r = a < c ? x : y;
    r -= 8;
    out("x", x * 100 + y);
    (d > 2 ? x : y) = c;
    out("assigned", x * 100 + y);
    (a > 0 ? x : b > 0 ? y : p) += 1000;
    out("nested", x + y * 3 + p * 7);
    const int &k = (d & 1) ? x : y;
    x = 4;
    out("const", k);
    smaller(x, y) = -50;
    out("smaller", x * 100 + y);
    out("larger", larger(x, larger(y, c)) + larger(a, 3));
    auto &&z = c > 3 ? x : y;
    z = 13;
    out("auto", x * 100 + y);
    auto set_one = [&one = (b > 1 ? x : y)](int value) { one = value; };
    set_one(21);
    out("lambda", x * 100 + y);
    auto at = [&](int i) -> int & { return l[i & 1]; };
    at(d) += 300;
    out("returned", l[0] * 1000 + l[1]);
    int *px = &(a > b ? x : y);
    *px = 8;
    out("address", x * 100 + y);
    out("pointers", (px == &x) + 2 * (px == &y) + 4 * (px != px));
    // Objects.
    Span s{1, a}, t{2, b};
    (c > 1 ? s : t).shrink(3);
    Span &w = d > 0 ? s : t;
    w.at = w.end();
    Span copy = a > 2 ? s : t;
    copy.len++;
    w.len = 6;
    out("spans", s.at + s.len * 100 + t.at * 10000 + t.len * 1000000);
    out("copy", copy.at * 100 + copy.len);
    out("end", (b > c ? s : t).end());
    Pair q, o;
    (a > 1 ? q : o).x[0] = 40;
    (a > 2 ? q : o).x[b & 1] += 7;
    q.mine(d) -= 3; o[c] *= 2;
    out("pair", q.x[0] + q.x[1] * 100 + o.x[0] * 10000 + o.x[1] * 1000000);
    Holder h{q.x[a & 1]};
    h.r = 1;
    Holder g{a > 4 ? q.x[0] : o.x[1]};
    g.r += 2;
    out("holder", q.x[0] + q.x[1] * 100 + o.x[0] * 10000 + o.x[1] * 1000000);
    (a > 2 ? s : t) = Span{7, 9};
    std::swap(a > 2 ? s : t, copy);
    out("swap", s.at + s.len * 100 + t.at * 10000 + t.len * 1000000 + copy.len);
    // Known conditions name objects, too.
    Derived derived; Base plain;
    Base &known = true ? derived : plain;
    known.tag = 30;
    out("derived", derived.tag + known.id());
    // Arms with effects.
    int e = 0;
    int &after = a > 0 ? (e++, x) : (e += 5, y);
    after = 60 + e;
    out("effects", x * 10000 + y * 100 + e);
    // Values stay values.
    int value = a > b ? a : b;
    int least = a < b ? a : b;
    a = 500;
    out("value", value * 100 + least);
    float f = 1.5f, ff = 2.5f;
    (b > c ? f : ff) *= 2;
    out("float", f + ff * 10);
}
