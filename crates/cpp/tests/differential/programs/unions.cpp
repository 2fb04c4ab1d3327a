struct Message { int kind; union { int number; float real; struct { short low; short high; }; }; struct { int extra; union { long wide; char narrow; }; }; };
union Word { unsigned whole; unsigned char byte; struct { short a, b; } pair; int items[2]; };
struct Base { union { int x; float y; }; };
struct Derived : Base { int z; int sum() const { return x + z; } };
template <typename T> struct Boxed { union { T value; char raw[sizeof(T)]; }; Boxed() : value(T(5)) {} };
struct Holder { Word word; int after = 9; };
Message make(int k) { Message m; m.kind = k; m.number = k * 2; m.extra = 1; m.wide = 8; return m; }
void set(Word &w, unsigned v) { w.whole = v; }
int get(const Word &w) { return (int)w.whole; }
void program() {
    Message m{}; m.kind = 1; m.number = 42; out("a", m.number); out("b", m.kind);
    m.real = 2.5f; out("c", m.real); m.low = 3; m.high = 4; out("d", m.low + m.high);
    m.number = in(0); out("e", m.number); if (in(1) > 2) { m.number = 7; } out("f", m.number);
    m.narrow = 'x'; out("g", (int)m.narrow); m.wide = 1L << 40; out("h", m.wide); out("i", (int)sizeof(Message));
    Message copy = make(6); out("j", copy.number); out("k", copy.wide); Message other = copy; other.number++; out("l", other.number); out("m", copy.number);
    Word w; w.byte = 200; out("n", (int)w.byte); set(w, 77u + (unsigned)in(0)); out("o", get(w)); out("p", (int)sizeof(w));
    w.pair.a = 3; w.pair.b = (short)in(2); out("q", w.pair.a * 10 + w.pair.b); w.items[1] = 5; out("r", w.items[1]);
    Derived d; d.x = 8; d.z = in(3); out("s", d.sum()); d.y = 1.5f; out("t", d.y);
    Boxed<long> b; out("u", b.value); b.value = in(1); out("v", b.value); out("w", (int)sizeof(b));
    Holder h; h.word.whole = 4; out("x", (int)h.word.whole + h.after); Word *p = &h.word; p->byte = 9; out("y", (int)p->byte);
    union { int once; float twice; }; once = 3; out("z", once); twice = 0.5f; out("aa", twice);
    union { struct { int q, r; }; long both; } local; local.q = in(0); local.r = 2; out("ab", local.q + local.r);
    auto *n = &m.number; *n = 12; out("ac", m.number); int &ref = copy.number; ref = 13; out("ad", copy.number);
}
