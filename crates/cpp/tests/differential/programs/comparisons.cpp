struct Key { int a; short b; bool operator==(const Key &o) const { return a == o.a && b == o.b; } bool operator!=(const Key &o) const { return !(*this == o); } };
bool operator<(const Key &x, const Key &y) { return x.a < y.a; }
namespace unit { struct Meter { int v; }; bool operator==(Meter x, Meter y) { return x.v == y.v; } bool operator==(Meter x, int y) { return x.v == y; } bool operator!=(int x, Meter y) { return x != y.v; } }
template <typename T> struct Wrap { T t; template <typename U> bool operator==(const Wrap<U> &o) const { return t == (T)o.t; } friend bool operator>(const Wrap &a, const Wrap &b); };
struct Number { int v; operator int() const { return v; } };
struct Flag { explicit operator bool() const { return on; } bool on; };
struct P { int x; int y[3]; P *next; };
struct B0 { int b = 1; }; struct B1 { int c = 2; }; struct D : B0, B1 { int d = 3; };
enum class E : unsigned char { X, Y = 5 };
template <typename A, typename B> bool same(A a, B b) { return a == b; }
int f(int); int g(int); int f(int x) { return x; } int g(int x) { return x + 1; }
void program() {
    Key k{1, 2}, m{1, 3}; out("a", (int)(k == m)); out("b", (int)(k != m)); m.b = 2; out("c", (int)(k == m)); m.a = in(0); out("d", (int)(k == m)); out("e", (int)(k < m)); out("f", (int)(k != m));
    unit::Meter x{3}, y{in(1)}; out("g", (int)(x == y)); out("h", (int)(x == 3)); out("i", (int)(4 != x));
    Wrap<int> wi{4}; Wrap<long> wl{4}; out("j", (int)(wi == wl));
    Number n{6}; out("k", (int)(n == 6)); out("l", (int)(n != 7)); out("m", (int)(n < in(2))); Flag flag{true}; out("n", flag ? 1 : 2); out("o", (int)(!flag));
    P p{}; P *q = &p; P *none = nullptr; out("p", (int)(q == &p)); out("q", (int)(q != nullptr)); out("r", (int)(none == nullptr)); out("s", (int)(p.next == none)); out("t", (int)(nullptr != q)); out("u", (int)(none == 0));
    out("v", (int)(&p.y[1] == p.y + 1)); out("w", (int)(&p.y[2] > p.y)); out("x", (int)(p.y + 3 - &p.y[1])); out("y", (int)(&p.x == &p.y[0]));
    D d; B1 *b1 = &d; D *back = static_cast<D *>(b1); out("z", (int)(back == &d)); out("aa", (int)(b1 == &d)); out("ab", back->d + b1->c); B0 &r0 = d; out("ac", (int)(&r0 == &d)); void *v = &d; out("ad", (int)(v == (void *)back));
    out("ae", (int)same(E::X, E::Y)); out("af", (int)same(2, 2L)); out("ag", (int)(E::X < E::Y)); out("ah", (int)same(q, &p));
    int (*fp)(int) = f; out("ai", (int)(fp == f)); out("aj", (int)(fp != g)); out("ak", fp(3)); out("al", (int)(fp == nullptr));
    out("am", (int)(uintptr_t)nullptr); out("an", (int)((unsigned char)in(0) == 255)); out("ao", (int)(in(0) == 0.5f)); out("ap", (int)(-1 < 1u)); out("aq", (int)(in(3) < 1u));
    const char *s = "abc"; out("ar", (int)(s != nullptr)); bool t = q; out("as", (int)(t == true)); auto lam = [](int z) { return z; }; int (*lp)(int) = lam; out("at", lp(8));
}
