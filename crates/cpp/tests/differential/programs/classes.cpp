struct Point { int x = 1; int y = 2; int sum() const { return x + y; } };
class Counter {
public:
    Counter() : value_(0) {}
    explicit Counter(int start) : value_(start), step_(2) {}
    Counter(const Counter &other) : value_(other.value_ + 100), step_(other.step_) {}
    Counter &operator=(const Counter &other) { value_ = other.value_ + 1000; return *this; }
    Counter &operator++() { value_ += step_; return *this; }
    Counter operator++(int) { Counter old(*this); value_ += step_; return old; }
    Counter operator+(const Counter &other) const { return Counter(value_ + other.value_); }
    bool operator<(const Counter &other) const { return value_ < other.value_; }
    int operator()(int k) const { return value_ * k; }
    int &operator[](int) { return value_; }
    operator int() const { return value_; }
    static int made;
    int get() const { return value_; }
private:
    int value_;
    int step_ = 1;
};
int Counter::made = 5;
struct Shape {
    virtual int area() const { return 0; }
    virtual int twice() { return area() * 2; }
    int name() { return 1; }
    virtual ~Shape() {}
};
struct Square : Shape { int s; Square(int s) : s(s) {} int area() const override { return s * s; } int name() { return 2; } };
struct Rect : Square { int w; Rect(int s, int w) : Square(s), w(w) {} int area() const { return s * w; } int twice() override { return Square::twice() + 1; } };
int log_value = 0;
struct Logged {
    int id;
    Logged(int id) : id(id) { log_value = log_value * 10 + id; }
    ~Logged() { log_value = log_value * 10 + id + 5; }
};
struct Pair { Point a; Point b; int c[3]; };
struct Agg { int a; float b; Point p; };
struct Delegates { int a, b; Delegates(int a, int b) : a(a), b(b) {} Delegates(int a) : Delegates(a, a * 2) {} Delegates() : Delegates(7) {} };
struct A1 { int a = 1; }; struct B1 { int b = 2; };
struct AB : A1, B1 { int c = 3; int sum() { return a + b + c; } };
union Both { int i; float f; };
struct Ref { int &r; Ref(int &r) : r(r) {} void set(int v) { r = v; } };
struct Node { int value; Node *next; };
struct Over { int f(int) { return 1; } int f(int) const { return 2; } int f(double) { return 3; } };
struct Hide : Over { using Over::f; int f(const char *) { return 4; } };
struct Stat { static int next() { static int n = 10; return n++; } };
struct Conv { int v; Conv(int v) : v(v) {} };
int take(Conv c) { return c.v * 3; }
int takes(const Point &p) { return p.x * 10 + p.y; }
Point operator+(const Point &a, const Point &b) { return {a.x + b.x, a.y + b.y}; }
bool operator==(const Point &a, const Point &b) { return a.x == b.x && a.y == b.y; }
Point make(int k) { Point p; p.x = k; return p; }
void change(Point p) { p.x = 99; }
void change_ref(Point &p) { p.x = 99; }
namespace geo { struct V { int k; }; int norm(V v) { return v.k * 7; } namespace in_ { constexpr int deep = 3; } }
class Fwd; int use(Fwd &f);
class Fwd { public: int z = 8; friend int use(Fwd &f); };
int use(Fwd &f) { return f.z; }
// A member and a function of a namespace that is defined after its declaration have one name.
namespace Device { int settle(); int level(int); }
struct Settler { int settle(); int level(int); int both(); };
int Settler::settle() { return Device::settle() * 10; }
int Settler::level(int by) { return Device::level(by) + 1; }
int Settler::both() { return settle() + level(2); }
namespace Outer { namespace Device { int level(int); } }
int Outer::Device::level(int by) { return by * 1000; }
int Device::settle() { return 4; }
int Device::level(int by) { return by * 100; }

struct Sized { int len = 1; Sized() = default; Sized(int n) : len(n) {} };
struct Tagged { int tag = 3; };
struct Heir : Sized { using Sized::Sized; int more = 4; };
struct Grandchild : Tagged, Heir { using Heir::Heir; };
template <typename T> struct OfType { T len; OfType(T n) : len(n) {} };
template <typename T> struct Typed : OfType<T> { using OfType<T>::OfType; };
struct Shadow : Sized, Tagged { int len = 2; };
struct Ask { int which() & { return 1; } int which() const & { return 2; } int which() && { return 3; } };
struct Early {
    int seen, kept = Size() * 10;
    Early() { seen = Size(); }
    virtual int Size() { return 3; }
    int Again() { return Size(); }
    ~Early() { trace_size = trace_size * 10 + Size(); }
    static inline int trace_size = 0;
};
struct Late : Early {
    int own = Size();
    int Size() override { return 7; }
    ~Late() { trace_size = trace_size * 10 + Size(); }
};
void program() {
    { Late late; out("virtual_in_constructor", late.seen + late.kept * 10 + late.own * 10000 + late.Again() * 100000); }
    out("virtual_in_destructor", Early::trace_size);
    Point p;
    out("point", p.sum());
    Point q{5};
    out("agg", q.x * 10 + q.y);
    Counter c(10);
    ++c; c++;
    out("counter", c.get());
    Counter d = c;
    out("copy", d.get());
    d = c;
    out("assign", d.get());
    out("plus", (c + d).get());
    out("less", c < d);
    out("call", c(3));
    c[0] = 77;
    out("index", c + 1);
    out("static", Counter::made);
    Counter::made = 6;
    out("static2", c.made);
    Square s(3); Rect r(3, 4);
    Shape *shapes[] = {&s, &r};
    int total = 0;
    for (auto *sh : shapes) { total = total * 100 + sh->area() + sh->twice(); }
    out("virtual", total);
    Shape &sr = r;
    out("hidden", sr.name() * 10 + r.name());
    {
        Logged a(1); Logged b(2);
        { Logged e(3); }
    }
    out("log", log_value);
    log_value = 0;
    { Logged(4).id; Logged f(1); }
    out("log2", log_value);
    Pair pr{{1, 2}, {3}, {7, 8}};
    Pair pc = pr;
    pc.a.x = 50; pc.c[2] = 9;
    out("pair", pr.a.x + pr.b.y + pr.c[1] + pc.a.x + pc.c[2] + pr.c[2]);
    Agg ag{1, 2.5f, {3, 4}};
    out("agg2", ag.a + ag.p.y + (int)ag.b);
    Agg des{.a = 4, .p = {9, 9}};
    out("designated", des.a + des.p.x + (int)des.b);
    Delegates del;
    out("delegates", del.a * 100 + del.b);
    AB ab;
    ab.b = 20;
    B1 &bb = ab;
    bb.b++;
    out("multi", ab.sum());
    Both both; both.i = 5;
    out("union", both.i);
    int target = 1;
    Ref ref(target);
    ref.set(42);
    out("ref", target);
    Node n3{3, nullptr}, n2{2, &n3}, n1{1, &n2};
    int list = 0;
    for (Node *n = &n1; n; n = n->next) list = list * 10 + n->value;
    out("list", list);
    Over o; const Over oc{};
    out("const", o.f(1) + oc.f(1) * 10 + o.f(1.5) * 100);
    Hide h;
    out("using", h.f(1) + h.f("x") * 10);
    out("statics", Stat::next() + Stat::next() * 100 + Stat::next() * 10000);
    out("conv", take(5));
    out("brace", takes({3, 4}));
    Point sum = p + q;
    out("op", sum.x * 10 + sum.y);
    out("eq", (p == Point{}) * 10 + (p == q));
    change(p); out("value", p.x);
    change_ref(p); out("byref", p.x);
    out("make", make(6).sum());
    geo::V gv{3};
    out("adl", norm(gv) + geo::in_::deep);
    Fwd fw; out("fwd", use(fw));
    auto [bx, by] = make(4);
    out("bind", bx * 10 + by);
    auto &[rx, ry] = q;
    rx = 1; out("bind2", q.x);
    int arr[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int acc = 0;
    for (auto &row : arr) for (int v : row) acc = acc * 2 + v;
    out("arr2", acc);
    int (*grid)[3] = arr;
    out("grid", grid[1][2]);
    Point pts[3] = {{1, 1}, {2, 2}};
    out("pts", pts[0].x + pts[1].y + pts[2].x * 10 + pts[2].y);
    Settler settler;
    out("settler", settler.both() + Outer::Device::level(7));
    Heir heir(in(0)); Grandchild grandchild(in(1)); Typed<int> typed(in(2));
    out("inherited", heir.len + heir.more * 100 + grandchild.len * 10000 + grandchild.tag + typed.len);
    Shadow shadow; shadow.Sized::len = 5; shadow.len = 7; shadow.Tagged::tag += 2;
    out("qualified", shadow.len + static_cast<Sized &>(shadow).len * 10 + shadow.tag * 100);
    Ask ask; const Ask asked;
    out("ref_qualifiers", ask.which() + asked.which() * 10 + Ask().which() * 100);
    out("texts", (int)(sizeof("abc") + sizeof("") * 10));
}
